import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import * as vscode from 'vscode';
import { allowWrites, connectToRedis, redisPort, requireExtension, until } from './support/host';

const QUEUE = 'invoices';
/** A number longer than JavaScript can keep, a float that looks like none, and a key given twice. */
const DATA = '{"id":9007199254740993,"rate":1.0,"note":"a","note":"b : ,"}';

describe('the data of a job in the extension host', () => {
  let redis: Redis;
  let queue: Queue;
  const key = (id: string) => `emq:${QUEUE}:${id}`;

  before(async () => {
    redis = connectToRedis();
    queue = new Queue(QUEUE, { connection: { host: '127.0.0.1', port: redisPort() }, prefix: 'emq' });
    await requireExtension().activate();
    await allowWrites();
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await queue.obliterate({ force: true });
    await queue.close();
    redis.disconnect();
  });

  const open = async (id: string, data: string) => {
    await queue.add('send', {}, { jobId: id });
    await redis.hset(key(id), 'data', data);
    const [connection] =
      vscode.workspace.getConfiguration('echomq').get<{ name: string }[]>('connections') ?? [];
    assert.ok(connection);
    const connectionId = `by-name-${createHash('sha1').update(connection.name).digest('hex').slice(0, 12)}`;
    const row = { id, name: 'send', state: 'wait', exists: true, hasParent: false };
    const node = { kind: 'job', connectionId, address: { prefix: 'emq', queue: QUEUE }, row };
    await vscode.commands.executeCommand('echomq.job.editData', node);
    return until('the file is open', () =>
      vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'echomq-data' && uri.path.includes(id)),
    );
  };
  const replace = async (document: vscode.TextDocument, from: string, to: string) => {
    const edit = new vscode.WorkspaceEdit();
    const start = document.getText().indexOf(from);
    assert.notEqual(start, -1);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(start + from.length));
    edit.replace(document.uri, range, to);
    assert.ok(await vscode.workspace.applyEdit(edit));
  };

  it('is shown indented as JSON, and keeps every byte that is not edited', async () => {
    const document = await open('inv-1', DATA);
    assert.equal(document.languageId, 'json');
    assert.match(document.getText(), /^{\n {2}"id": 9007199254740993,\n/);
    await replace(document, '1.0', '2.50');
    assert.ok(await document.save());
    assert.equal(await redis.hget(key('inv-1'), 'data'), DATA.replace('1.0', '2.50'));
  });

  it('with white space of its own is shown and stored as it is', async () => {
    const data = '{ "a":1,\n\t"b": 2 }';
    const document = await open('inv-2', data);
    assert.equal(document.getText(), data);
    await replace(document, '2', '3');
    assert.ok(await document.save());
    assert.equal(await redis.hget(key('inv-2'), 'data'), data.replace('2', '3'));
  });

  it('can be edited again after a save', async () => {
    const document = await open('inv-3', '{"a":1}');
    for (const value of ['2', '3']) {
      await replace(document, `${Number(value) - 1}`, value);
      assert.ok(await document.save());
      assert.equal(await redis.hget(key('inv-3'), 'data'), `{"a":${value}}`);
    }
  });

  it('is not overwritten when somebody else changed it meanwhile; the text stays in the editor', async () => {
    const document = await open('inv-4', '{"a":1}');
    await replace(document, '1', '2');
    await redis.hset(key('inv-4'), 'data', '{"a":7}');
    assert.equal(await document.save(), false);
    assert.ok(document.isDirty);
    assert.match(document.getText(), /2/);
    assert.equal(await redis.hget(key('inv-4'), 'data'), '{"a":7}');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.match(document.getText(), /"a": 7/);
    await replace(document, '7', '8');
    assert.ok(await document.save());
    assert.equal(await redis.hget(key('inv-4'), 'data'), '{"a":8}');
  });

  it('that is no JSON is not stored', async () => {
    const document = await open('inv-5', '{"a":1}');
    await replace(document, '1', '1,');
    assert.equal(await document.save(), false);
    assert.equal(await redis.hget(key('inv-5'), 'data'), '{"a":1}');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('is not made anew when the job is gone', async () => {
    const document = await open('inv-6', '{"a":1}');
    await queue.remove('inv-6');
    await replace(document, '1', '2');
    assert.equal(await document.save(), false);
    assert.equal(await redis.exists(key('inv-6')), 0);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
