/** The demo: the packaged extension in a real VS Code, on a Redis of its own with queues that are at work. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { hasDisplay } from '../support/host/chooseHost';
import { requireCodeServer } from '../support/host/codeServer';
import { requirePackage } from '../support/host/packageExtension';
import { QUIET_SETTINGS } from '../support/host/settings';
import { startVSCodeServer } from '../support/host/vscodeServer';
import { ROOT } from '../support/paths';
import { findOnPath } from '../support/redisBinary';
import { type RedisServer, startRedis } from '../support/redisServer';
import { makeTemporaryFolder } from '../support/temporary';
import { openDesktop } from './desktop';
import { DEMO_PREFIX, startWorkload, type Workload } from './workload';

/** The folder that the demo opens a copy of. */
export const DEMO_WORKSPACE = join(ROOT, 'test', 'demo', 'workspace');

export interface DemoOptions {
  /** `none` starts the queues only. By default a desktop VS Code if there is one, else one in the browser. */
  readonly host?: 'desktop' | 'code-server' | 'none';
  /** Shows the address in the user's browser as well as printing it. */
  readonly opensBrowser: boolean;
  /** Told what a person should know, a line at a time. */
  readonly say: (line: string) => void;
}

export interface Demo {
  readonly redis: RedisServer;
  readonly workload: Workload;
  /** Where the browser finds it; `undefined` for a desktop. */
  readonly url?: string;
  /** Resolves when the user has closed the desktop VS Code. */
  readonly closed: Promise<void>;
  /** Ends everything that was started and deletes every file that was made. */
  stop(): Promise<void>;
}

/** @throws Error that says in one line what is missing. */
export async function startDemo({ host, opensBrowser, say }: DemoOptions): Promise<Demo> {
  const undo: (() => unknown)[] = [];
  const stop = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  };
  try {
    // Packaging and installing keep this process busy, and busy workers lose their locks: first things first.
    const code = host === 'code-server' || host === 'none' ? undefined : findDesktop();
    if (host === 'desktop' && !code) throw new Error('No desktop VS Code found: put `code` on the PATH.');
    if (host !== 'none') say('Packaging the extension…');
    const vsix = host === 'none' ? '' : requirePackage();
    if (host !== 'none' && !code) requireCodeServer();
    const redis = await startRedis();
    undo.push(() => redis.stop());
    const workload = await startWorkload(redis);
    undo.push(() => workload.stop());
    say(`Redis:   ${redis.url}, prefix ${DEMO_PREFIX}, queues ${workload.queues.join(', ')}`);
    const queues = { redis, workload, stop };
    if (host === 'none') return { ...queues, closed: new Promise(() => {}) };

    const workspace = makeTemporaryFolder('demo');
    undo.push(() => workspace.remove());
    cpSync(DEMO_WORKSPACE, workspace.path, { recursive: true });
    const settings = {
      ...QUIET_SETTINGS,
      'workbench.startupEditor': 'readme',
      'echomq.connections': [{ name: 'Demo', url: redis.url, prefixes: [DEMO_PREFIX] }],
    };
    const request = { vsix, settings, workspace: workspace.path };
    if (code) {
      const desktop = openDesktop(code, request);
      undo.push(() => desktop.stop());
      say('VS Code: opened in a window of its own; closing it ends the demo.');
      return { ...queues, closed: desktop.closed };
    }
    const server = await startVSCodeServer({ ...request, vsix: [vsix], connectionToken: makeToken() });
    undo.push(() => server.stop());
    const url = server.address(workspace.path);
    say(`VS Code: ${url}`);
    if (opensBrowser) showInBrowser(url);
    return { ...queues, url, closed: new Promise(() => {}) };
  } catch (error) {
    await stop();
    throw error;
  }
}

const makeToken = () => randomBytes(16).toString('hex');

const findDesktop = () =>
  hasDisplay({ platform: process.platform, environment: process.env })
    ? findOnPath(['code', 'codium'])
    : undefined;

/** Asks the system to show an address; the address is printed anyway, so a failure does not matter. */
function showInBrowser(url: string): void {
  if (!hasDisplay({ platform: process.platform, environment: process.env })) return;
  const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' };
  const opener = spawn(openers[process.platform] ?? 'xdg-open', [url], { stdio: 'ignore', detached: true });
  opener.once('error', () => {});
  opener.unref();
}
