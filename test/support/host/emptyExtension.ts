/** A packaged extension that does nothing: what activation times are compared with. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { DIST, ROOT } from '../paths';

/** Bundles and packages it. Returns the file. @throws Error with the packager's output. */
export function packageEmptyExtension(): string {
  const folder = join(DIST, 'test', 'empty');
  mkdirSync(folder, { recursive: true });
  const manifest = {
    ...{ name: 'empty', publisher: 'echomq', version: '0.0.0', license: 'MIT', main: './extension.js' },
    ...{ engines: { vscode: '^1.100.0' }, activationEvents: ['onStartupFinished'] },
    ...{ repository: { type: 'git', url: 'https://example.invalid/empty.git' } },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'README.md'), 'Does nothing.\n');
  writeFileSync(join(folder, 'LICENSE'), 'MIT\n');
  buildSync({
    stdin: { contents: "import * as vscode from 'vscode'; export const activate = () => vscode.version;" },
    outfile: join(folder, 'extension.js'),
    ...{
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      external: ['vscode'],
      minify: true,
    },
  });
  const vsix = join(DIST, 'test', 'empty.vsix');
  const vsce = join(ROOT, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '-o', vsix];
  const run = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (run.status !== 0) throw new Error(`Packaging the empty extension failed:\n${run.stdout}${run.stderr}`);
  return vsix;
}
