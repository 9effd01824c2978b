import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Journal } from '../../../../src/editor/platform/journal';
import { makeTemporaryFolder, type TemporaryFolder } from '../../../support/temporary';

const entry = (id: string) => ({
  ...{ connection: 'Local', address: 'redis://127.0.0.1:6379/0', queue: 'emq:emails' },
  ...{ action: 'Retry Job', ids: [id], outcome: 'done', scripts: ['reprocessJob-8'] },
});

describe('the journal', () => {
  let temporary: TemporaryFolder;
  let folder: string;
  beforeEach(() => {
    temporary = makeTemporaryFolder('journal');
    folder = join(temporary.path, 'journal');
  });
  afterEach(() => temporary.remove());

  const idsOf = async (journal: Journal) => (await journal.read()).map(({ ids }) => ids[0]);
  const size = () => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

  it('makes nothing on the disk before the first line', async () => {
    assert.deepEqual(await new Journal(folder).read(), []);
    assert.throws(() => readdirSync(folder), { code: 'ENOENT' });
  });

  it('survives a restart, newest line first', async () => {
    let now = 1000;
    const clock = () => now++;
    const before = new Journal(folder, { clock });
    await before.record(entry('1'));
    await before.record(entry('2'));
    const after = new Journal(folder, { clock });
    await after.record(entry('3'));
    assert.deepEqual(await idsOf(after), ['3', '2', '1']);
    const [line] = await after.read();
    assert.deepEqual(line, { ...entry('3'), atMs: line?.atMs, count: 1 });
  });

  it('loses no line of two windows that write at the same time', async () => {
    const windows = [new Journal(folder), new Journal(folder)];
    const records = Array.from({ length: 200 }, (_, i) => windows[i % 2]?.record(entry(`${i}`)));
    await Promise.all(records);
    const [first] = windows;
    assert.ok(first);
    assert.equal(new Set(await idsOf(first)).size, 200);
    assert.equal(readdirSync(folder).length, 2);
  });

  it('is bounded: the oldest files go, the newest lines stay', async () => {
    let now = 1;
    const options = { clock: () => now++, maxFileBytes: 1000, maxBytes: 5000 };
    const journal = new Journal(folder, options);
    for (let i = 0; i < 200; i += 1) await journal.record(entry(`${i}`));
    assert.ok(size() <= 5000 + 1000, `${size()} bytes`);
    const ids = await idsOf(journal);
    assert.equal(ids[0], '199');
    assert.ok(ids.length > 10 && !ids.includes('0'));
  });

  it('goes on when another window has deleted its file', async () => {
    const journal = new Journal(folder);
    await journal.record(entry('1'));
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    await journal.record(entry('2'));
    assert.deepEqual(await idsOf(journal), ['2']);
  });

  it('reads past lines that are torn or strange', async () => {
    const journal = new Journal(folder);
    await journal.record(entry('1'));
    const [name = ''] = readdirSync(folder);
    appendFileSync(join(folder, name), '{"atMs":1,"conn\nnull\n[]\n{"atMs":"now"}\n');
    writeFileSync(join(folder, 'notes.txt'), 'not a journal');
    mkdirSync(join(folder, 'folder.jsonl'));
    await journal.record(entry('2'));
    assert.deepEqual((await idsOf(journal)).sort(), ['1', '2']);
  });

  it('keeps a bounded part of many ids, and says how many there were', async () => {
    const journal = new Journal(folder);
    const ids = Array.from({ length: 100_000 }, (_, i) => `${i}`);
    await journal.record({ ...entry('1'), ids });
    const [line] = await journal.read();
    assert.deepEqual([line?.ids.length, line?.count], [50, 100_000]);
    assert.ok(size() < 5000);
  });

  it('tells a line that cannot be written and does not reject', async () => {
    writeFileSync(folder, 'a file where the folder should be');
    const problems: unknown[] = [];
    const journal = new Journal(folder, { onProblem: (error) => problems.push(error) });
    await journal.record(entry('1'));
    assert.equal(problems.length, 1);
  });

  it('is for its owner only', async () => {
    if (process.platform === 'win32') return;
    await new Journal(folder).record(entry('1'));
    const [name = ''] = readdirSync(folder);
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
  });
});
