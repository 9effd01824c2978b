import assert from 'node:assert/strict';
import { ConnectionError } from '../../../../src/base/errors';
import { formatJob, isTruncated } from '../../../../src/editor/jobs/format';
import type { JobDetails } from '../../../../src/queue/types';

const NOW = Date.UTC(2026, 0, 2);

const makeJob = (changes: Partial<JobDetails> = {}): JobDetails => ({
  address: { prefix: 'emq', queue: 'emails' },
  id: '7',
  state: 'failed',
  row: { id: '7', exists: true, hasParent: false, name: 'welcome', attemptsMade: 2, attemptsStarted: 3 },
  data: { text: '{"id":9007199254740993,"rate":1.0}' },
  options: { text: '{"fpof":true}' },
  returnValue: undefined,
  progress: undefined,
  stacktraces: ['newest', 'oldest'],
  logs: [],
  logCount: 0,
  otherFields: [],
  ...changes,
});

describe('The document of a job', () => {
  it('shows every digit of the data and explains short names of options', () => {
    const text = formatJob(makeJob(), NOW);
    assert.match(text, /"id": 9007199254740993,\n +"rate": 1\.0/);
    assert.match(text, /fpof is /);
  });

  it('has the newest stack trace first', () => {
    assert.match(formatJob(makeJob(), NOW), /\[1 of 2\]\n +newest\n\n +\[2 of 2\]\n +oldest/);
  });

  it('cannot be given a heading by the job’s own text: what is the job’s is indented', () => {
    const failedReason = { text: 'broken\nDATA\n{}' };
    const row = { ...makeJob().row, name: 'a\nSTATE', failedReason };
    const headings = formatJob(makeJob({ row }), NOW).match(/^[A-Z].*$/gm);
    assert.deepEqual(headings, ['FAILED BECAUSE', 'DATA', 'OPTIONS', 'STACK TRACES (newest first)']);
  });

  it('says what is wrong with a job that is no hash', () => {
    const problem = new ConnectionError('The key emq:emails:7 does not hold a hash.', 'wrongType');
    const row = { id: '7', exists: true, hasParent: false, problem };
    assert.match(formatJob(makeJob({ row }), NOW), /problem: +The key emq:emails:7 does not hold a hash\./);
  });

  it('says how long a field is that it leaves out, and knows that it does', () => {
    assert.equal(isTruncated(makeJob()), false);
    for (const part of ['data', 'options', 'returnValue', 'progress', 'stacktraces'] as const) {
      const job = makeJob({ [part]: { bytes: 3_000_000 } });
      assert.equal(isTruncated(job), true, part);
      assert.match(formatJob(job, NOW), /3\.0 MB, not loaded/, part);
    }
  });

  it('tells a lock from none, and a lock that never lapses', () => {
    const active = { state: 'active' } as const;
    assert.match(formatJob(makeJob(active), NOW), /lock: +none: it lapsed/);
    const lock = { token: 'a:1', ttlMs: 12_000 };
    assert.match(formatJob(makeJob({ ...active, lock }), NOW), /lock: +held by a:1, lapses in 12 s/);
    const forever = { token: 'a:1', ttlMs: -1 };
    assert.match(formatJob(makeJob({ ...active, lock: forever }), NOW), /never lapses/);
  });

  it('survives dates that are none', () => {
    const row = { ...makeJob().row, createdMs: 1e300, finishedMs: Number.NaN };
    assert.doesNotMatch(formatJob(makeJob({ row }), NOW), /created|finished/);
  });
});
