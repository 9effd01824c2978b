/** Opens the demo in a desktop VS Code that is kept apart from the user's own. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess, spawnOwned } from '../support/child';
import { makeTemporaryFolder } from '../support/temporary';

/** A VS Code that shows the demo. */
export interface OpenEditor {
  /** Resolves when the user has closed it; never for an editor in a browser. */
  readonly closed: Promise<void>;
  /** Closes it and deletes its folders. */
  stop(): Promise<void>;
}

/** What an editor is opened with. */
export interface EditorRequest {
  readonly vsix: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly workspace: string;
}

/**
 * Starts `code` with user data and extensions folders of its own. @throws Error when the extension cannot be
 * installed.
 */
export function openDesktop(code: string, request: EditorRequest): OpenEditor {
  const folder = makeTemporaryFolder('desktop');
  const user = join(folder.path, 'data', 'User');
  mkdirSync(user, { recursive: true });
  writeFileSync(join(user, 'settings.json'), JSON.stringify(request.settings, null, 2));
  const own = [
    '--user-data-dir',
    join(folder.path, 'data'),
    '--extensions-dir',
    join(folder.path, 'extensions'),
  ];
  // On Windows `code` is a batch file, which only a shell can start.
  const shell = process.platform === 'win32';
  const install = [...own, '--install-extension', request.vsix, '--force'];
  const run = spawnSync(code, install, { encoding: 'utf8', shell });
  if (run.status !== 0) {
    folder.remove();
    throw new Error(`${code} could not install the extension: ${run.error?.message ?? run.stderr}`);
  }
  const open = [...own, '--wait', '--new-window', '--disable-workspace-trust', request.workspace];
  const child = spawnOwned(code, open, { stdio: 'ignore', shell });
  const closed = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
  return {
    closed,
    async stop() {
      await endProcess(child);
      folder.remove();
    },
  };
}
