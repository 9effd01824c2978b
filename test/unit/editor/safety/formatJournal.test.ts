import assert from 'node:assert/strict';
import { formatJournal } from '../../../../src/editor/safety/formatJournal';

const entry = {
  ...{ atMs: 0, connection: 'Local', address: 'redis://127.0.0.1:6379/0', queue: 'emq:emails' },
  ...{ action: 'Retry Job', ids: ['1', '2'], count: 2, outcome: 'done', scripts: ['reprocessJob-8'] },
};

describe('the text of the journal', () => {
  it('says that nothing was done', () => assert.match(formatJournal([]), /Nothing was done yet\./));

  it('has everything of an action', () => {
    const text = formatJournal([entry]);
    assert.match(text, /^(1970-01-01|1969-12-31) \d\d:\d\d:\d\d {2}Retry Job: done$/m);
    assert.match(text, /^ +connection {2}Local \(redis:\/\/127\.0\.0\.1:6379\/0\)$/m);
    assert.match(text, /^ +queue {7}emq:emails$/m);
    assert.match(text, /^ +jobs {8}1, 2$/m);
    assert.match(text, /^ +script {6}reprocessJob-8$/m);
  });

  it('says how many ids it leaves out', () => {
    assert.match(formatJournal([{ ...entry, count: 1000 }]), /1, 2 and 998 more/);
  });

  it('keeps hostile ids and names on their line, with what cannot be seen made visible', () => {
    const evil = 'x\n2030-01-01 00:00:00  Obliterate: done\u202e\u001b[31m';
    const text = formatJournal([{ ...entry, connection: evil, queue: evil, outcome: evil, ids: [evil] }]);
    assert.doesNotMatch(text, /^2030/m);
    // biome's rule against control characters in patterns makes this a plain search.
    assert.ok(!text.includes('\u001b') && !text.includes('\u202e'));
    assert.ok(text.includes('\\u202e') && text.includes('\\u001b'));
  });
});
