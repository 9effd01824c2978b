import assert from 'node:assert/strict';
import { describeDestruction, isNameTyped } from '../../../../src/editor/platform/describeDestruction';

const connection = {
  ...{ id: 'l', name: 'Local', url: 'redis://127.0.0.1:6379', prefixes: ['emq'] },
  ...{ isReadOnly: false, isProduction: false },
};
const queue = { prefix: 'emq', queue: 'emails' };

describe('the question before something is destroyed', () => {
  it('shows how many jobs, the oldest, the newest and the first ids', () => {
    const ids = Array.from({ length: 12 }, (_, i) => `${i}`);
    const { question, detail } = describeDestruction(
      { connection, queue, action: 'Remove', count: 12, oldest: 0, newest: 86_400_000, ids },
      10 * 86_400_000,
    );
    assert.equal(question, 'Remove 12 jobs of emails on "Local"?');
    assert.deepEqual(detail, [
      'Queue: emails under emq',
      'Jobs: 12',
      'Oldest: 1970-01-01T00:00:00 UTC, 10 d ago',
      'Newest: 1970-01-02T00:00:00 UTC, 9 d ago',
      'Ids: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more',
    ]);
  });

  it('leaves out what is not known, and begins with the word production where that is the label', () => {
    const { detail } = describeDestruction(
      { connection: { ...connection, isProduction: true }, queue, action: 'Drain', count: 1 },
      0,
    );
    assert.deepEqual(detail, ['PRODUCTION, as its label says', 'Queue: emails under emq', 'Jobs: 1']);
  });

  it('takes a time that is none for unknown', () => {
    const { detail } = describeDestruction(
      { connection, queue, action: 'Drain', count: 1, oldest: Number.NaN, newest: 1e300 },
      0,
    );
    assert.ok(detail.some((line) => line.startsWith('Oldest: unknown')));
  });

  it('wants the whole name typed, as it is or as it is shown', () => {
    assert.ok(isNameTyped('emails', 'emails'));
    for (const text of ['', 'email', 'Emails', 'emails ']) assert.ok(!isNameTyped(text, 'emails'), text);
    assert.ok(isNameTyped('a\\u202eb', 'a\u202eb'));
  });
});
