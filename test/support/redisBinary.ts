/** Finds a Redis to start, or installs one, or says in one line what to install. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The full path of a program on the PATH, or `undefined`. */
export function findOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((f) => f !== '');
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  for (const name of names) {
    for (const folder of folders) {
      for (const ending of endings) {
        const file = join(folder, name + ending);
        if (existsSync(file)) return file;
      }
    }
  }
  return undefined;
}

/** True where `apt-get install` can work without asking anybody. */
export const canUseApt = () =>
  process.platform === 'linux' && process.getuid?.() === 0 && findOnPath(['apt-get']) !== undefined;

/** Installs Debian packages. Returns whether apt said it worked. */
export function aptInstall(packages: readonly string[]): boolean {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  console.log(`Installing ${packages.join(', ')} with apt-get…`);
  spawnSync('apt-get', ['update', '-qq'], { env: environment, stdio: 'ignore' });
  const run = spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    env: environment,
    encoding: 'utf8',
  });
  if (run.status !== 0) console.error(run.stderr);
  return run.status === 0;
}

const NAMES = ['redis-server', 'valkey-server'];

/** @throws Error that says in one line what to install. */
export function requireRedisBinary(): string {
  const found = findOnPath(NAMES);
  if (found) return found;
  if (canUseApt() && aptInstall(['redis-server'])) {
    const installed = findOnPath(NAMES);
    if (installed) return installed;
  }
  throw new Error(
    'No Redis found: install redis-server 6.2 or newer (or valkey-server) and put it on the PATH.',
  );
}
