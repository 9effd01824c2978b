/** What VS Code loads into its extension host: runs every bundled suite beside this file with mocha. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import { CountingReporter } from '../support/countingReporter';
import { markTestOutput } from '../support/testOutput';

/** @throws Error when a test failed, which becomes the exit code of the host. */
export async function run(): Promise<void> {
  Mocha.reporters.Base.consoleLog = (...args) => console.log(markTestOutput(format(...args)));
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 30000,
    color: false,
    forbidOnly: true,
    forbidPending: true,
    reporter: CountingReporter,
  });
  for (const file of readdirSync(__dirname).sort()) {
    if (file.endsWith('.test.js')) mocha.addFile(join(__dirname, file));
  }
  await mocha.loadFilesAsync();
  const failed = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failed > 0) throw new Error(`${failed} failed.`);
}
