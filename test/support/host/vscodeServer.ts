/** Starts the server build of VS Code with extensions, settings and data folders of its own. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess, hasEnded, spawnOwned } from '../child';
import { findFreePort } from '../redisServer';
import { makeTemporaryFolder } from '../temporary';
import { requireCodeServer } from './codeServer';
import { QUIET_SETTINGS } from './settings';

export interface VSCodeServerOptions {
  /** Packaged extensions to install before the start. */
  readonly vsix?: readonly string[];
  /** User settings on top of the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Reaches the extension host and the tests in it. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The browser must name this token; without one any process of this machine can connect. */
  readonly connectionToken?: string;
  /** The workspace is not trusted, and nobody is asked whether it is. */
  readonly isUntrusted?: boolean;
  /** Lets a page load an extension test runner. Toasts are not shown in that mode. */
  readonly runsExtensionTests?: boolean;
}

export interface VSCodeServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** The process id of the server. */
  readonly pid: number;
  /** The address that opens a folder; `payload` entries are handed to the workbench. */
  address(folder: string, payload?: readonly (readonly [string, string])[]): string;
  /** The address of a file as a page of this server names it. */
  remoteUri(file: string): string;
  /** What the server has printed so far. */
  readLog(): string;
  /** The text of the user's settings. */
  readSettings(): string;
  /** Ends the server and deletes its folders. */
  stop(): Promise<void>;
}

/** @throws Error with the server's output when it does not come up. */
export async function startVSCodeServer(options: VSCodeServerOptions = {}): Promise<VSCodeServer> {
  const { node, main } = requireCodeServer();
  const port = await findFreePort();
  const folder = makeTemporaryFolder('vscode');
  const logFile = join(folder.path, 'server.log');
  const userFolder = join(folder.path, 'data', 'User');
  mkdirSync(userFolder, { recursive: true });
  const untrusted = {
    'security.workspace.trust.enabled': true,
    'security.workspace.trust.startupPrompt': 'never',
    'security.workspace.trust.banner': 'never',
  };
  const settings = { ...QUIET_SETTINGS, ...(options.isUntrusted && untrusted), ...options.settings };
  writeFileSync(join(userFolder, 'settings.json'), JSON.stringify(settings, null, 2));
  const shared = [
    main,
    ...['--server-data-dir', folder.path, '--user-data-dir', join(folder.path, 'data')],
    ...['--extensions-dir', join(folder.path, 'extensions'), '--accept-server-license-terms'],
  ];
  for (const vsix of options.vsix ?? []) {
    const run = spawnSync(node, [...shared, '--install-extension', vsix, '--force'], { encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`Installing ${vsix} failed: ${run.stdout}${run.stderr}`);
  }
  // VS Code leaves sockets in the system's temporary folder: give it one that is deleted with the rest.
  const temporary = { TMPDIR: join(folder.path, 'tmp'), XDG_RUNTIME_DIR: join(folder.path, 'tmp') };
  mkdirSync(temporary.TMPDIR);
  const token = options.connectionToken;
  const log = openSync(logFile, 'a');
  const child = spawnOwned(
    node,
    [
      ...shared,
      ...['--host', '127.0.0.1', '--port', `${port}`, '--telemetry-level', 'off'],
      ...(token ? ['--connection-token', token] : ['--without-connection-token']),
      ...(options.isUntrusted ? [] : ['--disable-workspace-trust']),
      '--disable-experiments',
      ...(options.runsExtensionTests ? ['--enable-smoke-test-driver'] : []),
    ],
    { env: { ...process.env, ...options.environment, ...temporary }, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  const readLog = () => readFileSync(logFile, 'utf8');
  const stop = async () => {
    await endProcess(child);
    folder.remove();
  };
  const origin = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + 60000;
  while (!(await answers(`${origin}/version`))) {
    if (hasEnded(child) || Date.now() > deadline) {
      const output = readLog();
      await stop();
      throw new Error(`VS Code did not start: ${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    port,
    origin,
    pid: child.pid ?? 0,
    readLog,
    readSettings: () => readFileSync(join(userFolder, 'settings.json'), 'utf8'),
    stop,
    remoteUri: (file) => `vscode-remote://127.0.0.1:${port}${file}`,
    address(workspace, payload = []) {
      const query = new URLSearchParams({ folder: workspace });
      if (token) query.set('tkn', token);
      if (payload.length > 0) query.set('payload', JSON.stringify(payload));
      return `${origin}/?${query}`;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
