/** Packaged extensions that stand beside the one under test. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
import { DIST, ROOT } from '../paths';

/** One that does nothing: what activation times are compared with. */
export const packageEmptyExtension = () =>
  packageExtra('empty', {
    stdin: { contents: "import * as vscode from 'vscode'; export const activate = () => vscode.version;" },
    minify: true,
  });

/** One that asks the question before something is destroyed, by the commands that it is given, and says the answer. */
export const packageDestroyer = (commands: readonly { readonly command: string; readonly title: string }[]) =>
  packageExtra(
    'destroyer',
    { entryPoints: [join(ROOT, 'test', 'editor', 'support', 'destroyer.ts')] },
    { contributes: { commands } },
  );

/** Bundles and packages it. Returns the file. @throws Error with the packager's output. */
function packageExtra(name: string, source: BuildOptions, parts: object = {}): string {
  const folder = join(DIST, 'test', name);
  mkdirSync(folder, { recursive: true });
  const manifest = {
    ...{ name, publisher: 'echomq', version: '0.0.0', license: 'MIT', main: './extension.js' },
    ...{ engines: { vscode: '^1.100.0' }, activationEvents: ['onStartupFinished'] },
    ...{ repository: { type: 'git', url: `https://example.invalid/${name}.git` } },
    ...parts,
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'README.md'), 'For tests.\n');
  writeFileSync(join(folder, 'LICENSE'), 'MIT\n');
  buildSync({
    ...source,
    outfile: join(folder, 'extension.js'),
    ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node20', external: ['vscode'] },
  });
  const vsix = join(DIST, 'test', `${name}.vsix`);
  const vsce = join(ROOT, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '-o', vsix];
  const run = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (run.status !== 0) throw new Error(`Packaging ${name} failed:\n${run.stdout}${run.stderr}`);
  return vsix;
}
