import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Backups } from '../../../src/editor/platform/backups';
import type { JobBackup } from '../../../src/queue/backup';

const about = { connectionId: 'c', server: 'redis://one', queue: { prefix: 'emq', queue: 'mail' } };

const job = (id: string): JobBackup => ({
  ...{
    id,
    state: 'wait',
    place: '0',
    fields: ['data', '{"n":9007199254740993}'],
    logs: [],
    dependencies: [],
  },
  ...{ processed: [], failed: [], unsuccessful: [], isAwaited: false },
});

describe('Backups of removed jobs', () => {
  let folder: string;
  let now = 0;
  const open = () => new Backups(join(folder, 'backups'), () => ++now);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'echomq-backups-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('come back as they were written, the newest first, in another window as well', async () => {
    const first = open().begin(about);
    await first([job('1'), job('2')]);
    await first([job('3')]);
    await open().begin({ ...about, queue: { prefix: 'bull', queue: 'x' } })([job('4')]);
    const list = await open().list();
    assert.deepEqual(
      list.map(({ header, batches }) => [header.queue.queue, batches]),
      [
        ['x', [[job('4')]]],
        ['mail', [[job('1'), job('2')], [job('3')]]],
      ],
    );
  });

  it('of nothing are none', async () => {
    open().begin(about);
    assert.deepEqual(await open().list(), []);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('that are torn are read as far as they go, and strange files are left out', async () => {
    await open().begin(about)([job('1')]);
    const [name = ''] = readdirSync(join(folder, 'backups'));
    appendFileSync(join(folder, 'backups', name), '[{"id":"2","sta');
    appendFileSync(join(folder, 'backups', 'other.jsonl'), 'hello\n');
    const list = await open().list();
    assert.deepEqual(
      list.map(({ batches }) => batches),
      [[[job('1')]]],
    );
  });

  it('are kept up to fifty, and go when their jobs are back', async () => {
    const backups = open();
    for (let i = 0; i < 52; i += 1) await backups.begin(about)([job(`${i}`)]);
    const list = await backups.list();
    assert.equal(list.length, 50);
    assert.equal(list[0]?.batches[0]?.[0]?.id, '51');
    await backups.remove(list[0]?.path ?? '');
    assert.equal((await backups.list()).length, 49);
  });
});
