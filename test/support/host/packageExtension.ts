/** Packages the extension the way it is published. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, ROOT } from '../paths';

/** The packaged extension. */
export const VSIX = join(DIST, 'echomq.vsix');

export interface Packaging {
  readonly vsix: string;
  /** Lines in which the packager warned. */
  readonly warnings: readonly string[];
}

/** Bundles and packages the checkout. @throws Error with the packager's output. */
export function packageExtension(): Packaging {
  mkdirSync(DIST, { recursive: true });
  rmSync(VSIX, { force: true });
  const vsce = join(ROOT, 'node_modules', '@vscode', 'vsce', 'vsce');
  // Without a terminal the packager cannot stop to ask: a missing licence or repository is an error or a warning.
  const run = spawnSync(process.execPath, [vsce, 'package', '--no-dependencies', '-o', VSIX], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = `${run.stdout}${run.stderr}`;
  if (run.status !== 0 || !existsSync(VSIX)) throw new Error(`Packaging failed:\n${output}`);
  return { vsix: VSIX, warnings: output.split('\n').filter((line) => /\bwarning\b/i.test(line)) };
}

/** The package a runner said it has just made, else a new one. */
export function requirePackage(): string {
  return process.env.ECHOMQ_TEST_VSIX ?? packageExtension().vsix;
}
