import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import * as vscode from 'vscode';
import { WRITE_COMMANDS } from '../../src/editor/contributions';
import { STATE_NAMES } from '../../src/keys/states';
import { type CountingProxy, startCountingProxy } from '../support/countingProxy';
import { connectToRedis, redisPort, requireExtension, until } from './support/host';

const QUEUE = 'guarded';
const NAME = 'Guarded';
const connectionId = `by-name-${createHash('sha1').update(NAME).digest('hex').slice(0, 12)}`;
const address = { prefix: 'emq', queue: QUEUE };

const jobNode = (state: string, id = 'job-1') => ({
  ...{ kind: 'job', connectionId, address, repetition: 0 },
  row: { id, name: 'hello', state, exists: true, hasParent: false },
});
const queueNode = { kind: 'queue', connectionId, address };
const stateNode = (state: string) => ({ kind: 'state', connectionId, address, state });
/** What the editor's documents hand over: their address. */
const documentUri = vscode.Uri.from({
  ...{ scheme: 'echomq-job', path: '/guarded #job-1' },
  query: JSON.stringify([connectionId, address.prefix, address.queue, 'job-1']),
});

/** The ways to call a command: from the palette or a key, from each row, from a selection, from a document, by hand. */
const CALLS: readonly (readonly [string, readonly unknown[]])[] = [
  ['with nothing', []],
  ['with a row and no selection', [queueNode, undefined]],
  ['with a queue', [queueNode]],
  ...STATE_NAMES.map((state) => [`with the state ${state}`, [stateNode(state)]] as const),
  ...STATE_NAMES.map((state) => [`with a job that is ${state}`, [jobNode(state)]] as const),
  ['with a selection', [jobNode('failed'), STATE_NAMES.map((state, i) => jobNode(state, `job-${i}`))]],
  ['with a selection and no row', [undefined, [jobNode('failed'), jobNode('delayed', 'job-2')]]],
  ['with a document', [documentUri]],
  ['with a connection', [{ kind: 'connection', connectionId }]],
];

describe('a read-only connection in the extension host', () => {
  let redis: Redis;
  let queue: Queue;
  let proxy: CountingProxy;
  let settingsBefore: unknown;

  const setConnections = (connections: unknown) =>
    vscode.workspace
      .getConfiguration('echomq')
      .update('connections', connections, vscode.ConfigurationTarget.Global);

  before(async () => {
    redis = connectToRedis();
    queue = new Queue(QUEUE, { connection: { host: '127.0.0.1', port: redisPort() }, prefix: 'emq' });
    await queue.add('hello', {}, { jobId: 'job-1', delay: 3_600_000 });
    proxy = await startCountingProxy(redisPort());
    await requireExtension().activate();
    settingsBefore = vscode.workspace.getConfiguration('echomq').inspect('connections')?.globalValue;
    const url = `redis://127.0.0.1:${proxy.port}/0`;
    await setConnections([{ name: NAME, url, prefixes: ['emq'], readOnly: true }]);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await setConnections(settingsBefore);
    await queue.obliterate({ force: true });
    await queue.close();
    redis.disconnect();
    await proxy.close();
  });

  /** Calls a command and closes whatever it shows, until it is over. */
  async function call(command: string, args: readonly unknown[]): Promise<void> {
    let isOver = false;
    const running = vscode.commands.executeCommand(command, ...args);
    const end = () => {
      isOver = true;
    };
    running.then(end, end);
    while (!isOver) {
      await vscode.commands.executeCommand('notifications.clearAll');
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  for (const command of WRITE_COMMANDS) {
    it(`is sent no byte by ${command}, whichever way it is called`, async () => {
      const monitor = await redis.monitor();
      const seen: string[] = [];
      monitor.on('monitor', (_time, args: string[]) => seen.push(args.join(' ')));
      proxy.reset();
      for (const [way, args] of CALLS) {
        await call(command, args);
        assert.deepEqual([proxy.bytesToServer, proxy.connections], [0, 0], way);
      }
      await redis.echo('the end');
      await until('the monitor has seen the end', () => seen.some((line) => /the end/.test(line)));
      monitor.disconnect();
      assert.deepEqual(seen, ['echo the end']);
    });
  }

  it('is read all the same', async () => {
    proxy.reset();
    await vscode.commands.executeCommand('echomq.job.open', jobNode('delayed'));
    await until('the job is shown', () =>
      vscode.workspace.textDocuments.some((d) => d.uri.scheme === 'echomq-job' && /job-1/.test(d.getText())),
    );
    assert.ok(proxy.bytesToServer > 0);
  });

  it('takes no data of a job that is saved by its address, and keeps the text', async () => {
    const uri = documentUri.with({ scheme: 'echomq-data', path: '/guarded #job-1.json' });
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), ' ');
    assert.ok(await vscode.workspace.applyEdit(edit));
    proxy.reset();
    const saving = document.save();
    await until('the save is over', async () => {
      await vscode.commands.executeCommand('notifications.clearAll');
      return Promise.race([saving.then(() => true), new Promise<false>((r) => setTimeout(r, 25, false))]);
    });
    assert.equal(await saving, false);
    assert.ok(document.isDirty);
    assert.deepEqual(
      proxy.commands.filter((name) => /EVAL/.test(name)),
      [],
    );
    assert.equal(await redis.hget(`emq:${QUEUE}:job-1`, 'data'), '{}');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
