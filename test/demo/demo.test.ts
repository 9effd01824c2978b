import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { Keys } from '../../src/keys/keys';
import { STATES } from '../../src/keys/states';
import { hasEnded } from '../support/child';
import { launchBrowser } from '../support/host/browser';
import { requireCodeServer } from '../support/host/codeServer';
import { ROOT } from '../support/paths';
import { MAKERS } from './jobs';
import { DEMO_PREFIX } from './workload';

const QUEUES = Object.keys(MAKERS).map((name) => new Keys(DEMO_PREFIX, name));

async function countStates(redis: Redis): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { state, type } of STATES) {
    const lengths = QUEUES.map((keys) =>
      type === 'list' ? redis.llen(keys.state(state)) : redis.zcard(keys.state(state)),
    );
    counts[state] = (await Promise.all(lengths)).reduce((sum, n) => sum + n, 0);
  }
  return counts;
}

/** Reads the queues' events until each of the wanted kinds has come, from now on. */
async function waitForEvents(redis: Redis, wanted: readonly string[]): Promise<void> {
  const missing = new Set(wanted);
  const positions = new Map(QUEUES.map((keys) => [keys.events(), '$']));
  while (missing.size > 0) {
    const read = await redis.xread('BLOCK', 60000, 'STREAMS', ...positions.keys(), ...positions.values());
    assert.ok(read, `no event for a minute; still missing: ${[...missing].join(', ')}`);
    for (const [stream, entries] of read) {
      for (const [id, fields] of entries) {
        positions.set(stream, id);
        const kind = fields[fields.indexOf('event') + 1];
        if (kind) missing.delete(kind);
      }
    }
  }
}

describe('the demo', () => {
  // The demo's temporary files go here, so that what it leaves behind can be seen.
  let temporary: string;
  let demo: ChildProcess;
  let port: number;
  let url: string;

  before(async () => {
    requireCodeServer();
    temporary = mkdtempSync(join(tmpdir(), 'echomq-demo-test-'));
    const args = ['--import', 'tsx', 'test/demo/start.ts', '--host=code-server', '--no-open'];
    const env = { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary };
    demo = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const output: string[] = [];
    if (!demo.stdout) throw new Error('The demo has no output.');
    for await (const line of createInterface({ input: demo.stdout })) {
      output.push(line);
      if (line.startsWith('Ctrl-C')) break;
    }
    demo.stdout.resume();
    const find = (pattern: RegExp) => pattern.exec(output.join('\n'))?.[1] ?? assert.fail(output.join('\n'));
    port = Number(find(/redis:\/\/127\.0\.0\.1:(\d+)/));
    url = find(/VS Code: (\S+)/);
  });

  after(() => {
    if (!hasEnded(demo)) demo.kill('SIGKILL');
    rmSync(temporary, { recursive: true, force: true });
  });

  it('has jobs in all eight states at all times, while jobs complete, fail, are delayed and stall', async () => {
    const redis = new Redis(port);
    const reader = new Redis(port);
    try {
      // Nothing can have finished before the first worker has.
      await waitForEvents(reader, ['completed', 'failed']);
      let isWatching = true;
      const watching = (async () => {
        while (isWatching) {
          for (const [state, count] of Object.entries(await countStates(redis))) {
            assert.ok(count > 0, `no job is ${state}`);
          }
        }
      })();
      await Promise.race([
        watching,
        waitForEvents(reader, ['completed', 'failed', 'delayed', 'stalled', 'added', 'waiting-children']),
      ]);
      isWatching = false;
      await watching;
    } finally {
      redis.disconnect();
      reader.disconnect();
    }
  });

  it('keeps people without its token out', async () => {
    assert.equal((await fetch(new URL('/', url))).status, 403);
  });

  it('shows its queues in a real VS Code', async () => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(url);
      await page.locator('.activitybar a.action-label[aria-label^="EchoMQ"]').click();
      await page.locator('.part.sidebar .monaco-list-row .monaco-tl-twistie').click();
      for (const { queue } of QUEUES) {
        await page.locator('.part.sidebar .monaco-list-row .label-name', { hasText: queue }).waitFor();
      }
    } finally {
      await browser.close();
    }
  });

  it('leaves no process and no file behind after Ctrl-C', async () => {
    const ended = once(demo, 'exit');
    demo.kill('SIGINT');
    assert.deepEqual(await ended, [0, null]);
    await assert.rejects(fetch(new URL('/version', url)));
    const redis = new Redis(port, { lazyConnect: true, retryStrategy: () => null });
    redis.on('error', () => {});
    await assert.rejects(redis.connect(), /closed|refused/i);
    // The loader keeps a cache of compiled sources there, for the next start.
    const left = readdirSync(temporary).filter(
      (name) => !name.startsWith('tsx-') && name !== 'node-compile-cache',
    );
    assert.deepEqual(left, []);
  });
});
