import assert from 'node:assert/strict';
import { Queue as ReferenceQueue } from 'bullmq';
import { InputError, ScriptFailure, ScriptRefusal } from '../../src/base/errors';
import { Keys } from '../../src/keys/keys';
import { type JobState, STATES } from '../../src/keys/states';
import { Queue } from '../../src/queue/queue';
import type { NewJob } from '../../src/queue/types';
import { basicFields, NOW_MS, seedJobs } from './support/seed';
import { openStage, rejection, type Stage } from './support/stage';

const mail = new Keys('emq', 'mail');

describe('a move', () => {
  let stage: Stage;
  let queue: Queue;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());
  beforeEach(async () => {
    await stage.admin.flushall();
    stage.log.length = 0;
    queue = new Queue(stage.connect(), mail, { clock: () => NOW_MS });
  });
  afterEach(() => stage.closeExecutors());

  /** The states a job is in. */
  async function statesOf(id: string): Promise<JobState[]> {
    const { counts } = await queue.readSummary();
    const found: JobState[] = [];
    for (const { state, type } of STATES) {
      if (counts[state] === 0) continue;
      const key = mail.state(state);
      const place = type === 'list' ? await stage.admin.lpos(key, id) : await stage.admin.zscore(key, id);
      if (place !== null) found.push(state);
    }
    return found;
  }

  describe('that adds a job', () => {
    it('stores what is given and takes the next number', async () => {
      const data = '{"n":9007199254740993, "f":1.0}';
      assert.deepEqual(await queue.addJob({ name: 'send', data }), { id: '1', outcome: 'added' });
      assert.deepEqual(await queue.addJob({ name: 'send', data }), { id: '2', outcome: 'added' });
      assert.deepEqual(await stage.admin.hgetall(mail.job('1')), { ...stored(), data });
      assert.deepEqual(await stage.admin.lrange(mail.wait(), 0, -1), ['2', '1']);
    });

    const stored = () => ({
      name: 'send',
      data: '{}',
      opts: '{"attempts":0}',
      timestamp: `${NOW_MS}`,
      delay: '0',
      priority: '0',
    });

    it('puts it where its delay, its priority or a pause want it', async () => {
      const add = async (job: Partial<NewJob>) => (await queue.addJob({ name: 'n', data: '{}', ...job })).id;
      assert.deepEqual(await statesOf(await add({})), ['wait']);
      assert.deepEqual(await statesOf(await add({ delayMs: 1000 })), ['delayed']);
      assert.deepEqual(await statesOf(await add({ delayMs: 1000, priority: 3 })), ['delayed']);
      assert.deepEqual(await statesOf(await add({ priority: 3 })), ['prioritized']);
      await stage.admin.hset(mail.meta(), 'paused', '1');
      assert.deepEqual(await statesOf(await add({})), ['paused']);
      const [due] = (await queue.readPage('delayed', { offset: 0, limit: 1 })).rows;
      assert.equal(due?.dueMs, NOW_MS + 1000);
    });

    it('stores the same hash as the reference', async () => {
      const reference = new ReferenceQueue('reference', {
        prefix: 'emq',
        connection: { host: stage.server.host, port: stage.server.port },
      });
      try {
        const jobs: (Omit<NewJob, 'name' | 'data'> & { id?: string })[] = [
          {},
          { attempts: 3 },
          { delayMs: 5000 },
          { priority: 7 },
          { jobId: 'mine' },
          { delayMs: 0, priority: 0 },
          { delayMs: 60_000, priority: 2, attempts: 2, jobId: 'all' },
        ];
        for (const { delayMs, ...options } of jobs) {
          const delay = delayMs === undefined ? {} : { delay: delayMs };
          const theirs = await reference.add('send', { a: 1 }, { ...options, ...delay });
          const ours = await queue.addJob({
            name: 'send',
            data: '{"a":1}',
            ...options,
            ...(delayMs === undefined ? {} : { delayMs }),
          });
          const read = async (key: string) => {
            const { opts = '', timestamp: _, ...fields } = await stage.admin.hgetall(key);
            return { ...fields, opts: JSON.parse(opts) as unknown };
          };
          assert.deepEqual(await read(mail.job(ours.id)), await read(`emq:reference:${theirs.id}`));
        }
      } finally {
        await reference.close();
      }
    });

    it('of an id that exists stores nothing and says so', async () => {
      assert.equal((await queue.addJob({ name: 'n', data: '1', jobId: 'once' })).outcome, 'added');
      const again = await queue.addJob({ name: 'other', data: '2', jobId: 'once' });
      assert.deepEqual(again, { id: 'once', outcome: 'duplicate' });
      assert.equal(await stage.admin.hget(mail.job('once'), 'data'), '1');
      assert.deepEqual(await stage.admin.lrange(mail.wait(), 0, -1), ['once']);
    });

    it('of the same id from two sides at once says "added" to one of them only', async () => {
      const other = new Queue(stage.connect(), mail, { clock: () => NOW_MS + 1 });
      const job = { name: 'n', data: '{}', jobId: 'once' };
      const outcomes = (await Promise.all([queue.addJob(job), other.addJob(job)])).map(
        (added) => added.outcome,
      );
      assert.deepEqual(outcomes.sort(), ['added', 'duplicate']);
    });

    it('refuses what cannot be before anything is sent', async () => {
      await assert.rejects(queue.addJob({ name: 'n', data: '{' }), InputError);
      await assert.rejects(queue.addJob({ name: 'n', data: '{}', jobId: '7' }), /whole number/);
      assert.equal(await stage.admin.dbsize(), 0);
      assert.deepEqual(stage.log, []);
    });
  });

  describe('that retries a job', () => {
    it('runs it again from failed or completed, and drops the result of its last run', async () => {
      const fields = { ...basicFields(), finishedOn: 1, processedOn: 1, atm: 2, ats: 2 };
      await seedJobs(stage.admin, mail, 'failed', [{ id: 'f', fields: { ...fields, failedReason: 'boom' } }]);
      await seedJobs(stage.admin, mail, 'completed', [{ id: 'c', fields: { ...fields, returnvalue: '1' } }]);
      await queue.retryJob('f', 'failed');
      await queue.retryJob('c', 'completed', { resetAttempts: true });
      assert.deepEqual(await statesOf('f'), ['wait']);
      assert.deepEqual(await statesOf('c'), ['wait']);
      const stored = (name: string) => stage.admin.hgetall(mail.job(name));
      const rest = Object.fromEntries(Object.entries(basicFields()).map(([k, v]) => [k, `${v}`]));
      assert.deepEqual(await stored('f'), { ...rest, atm: '2', ats: '2' });
      assert.deepEqual(await stored('c'), rest);
    });

    it('puts a lifo job before those that wait', async () => {
      await seedJobs(stage.admin, mail, 'wait', [{ id: 'first' }]);
      const fields = { ...basicFields(), opts: '{"attempts":0,"lifo":true}' };
      await seedJobs(stage.admin, mail, 'failed', [{ id: 'lifo', fields }, { id: 'fifo' }]);
      await queue.retryJob('lifo', 'failed');
      await queue.retryJob('fifo', 'failed');
      const { rows } = await queue.readPage('wait', { offset: 0, limit: 9 });
      assert.deepEqual(
        rows.map((row) => row.id),
        ['lifo', 'first', 'fifo'],
      );
    });

    it('says no to one that is gone or elsewhere, naming job, state and way out', async () => {
      await seedJobs(stage.admin, mail, 'wait', [{ id: 'elsewhere' }]);
      const moved = await rejection(queue.retryJob('elsewhere', 'failed'), ScriptRefusal.is);
      assert.equal(moved.code, -3);
      assert.equal(moved.jobId, 'elsewhere');
      assert.match(moved.message, /^Job elsewhere: .*no longer in the state "failed"\. .*Refresh/);
      const gone = await rejection(queue.retryJob('gone', 'failed'), ScriptRefusal.is);
      assert.equal(gone.code, -1);
      assert.match(gone.message, /^Job gone: the job does not exist/);
    });

    it('is refused from any other state before anything is sent', async () => {
      await assert.rejects(queue.retryJob('7', 'active'), InputError);
      await assert.rejects(
        queue.retryJob('7', 'delayed'),
        /cannot be retried, only one in "Failed" or "Completed"/,
      );
    });
  });

  describe('that promotes a job', () => {
    it('makes it ready, by its priority and a pause', async () => {
      await seedJobs(stage.admin, mail, 'delayed', [
        { id: 'plain', score: (NOW_MS + 9) * 4096 },
        { id: 'urgent', score: (NOW_MS + 9) * 4096, fields: { ...basicFields(), priority: 2, delay: 9 } },
        { id: 'held', score: (NOW_MS + 9) * 4096 },
      ]);
      await queue.promoteJob('plain');
      await queue.promoteJob('urgent');
      assert.deepEqual(await statesOf('plain'), ['wait']);
      assert.deepEqual(await statesOf('urgent'), ['prioritized']);
      await stage.admin.hset(mail.meta(), 'paused', '1');
      await queue.promoteJob('held');
      assert.deepEqual(await statesOf('held'), ['paused']);
      assert.equal(await stage.admin.hget(mail.job('urgent'), 'delay'), '0');
    });

    it('says no to one that is not delayed', async () => {
      const error = await rejection(queue.promoteJob('7'), ScriptRefusal.is);
      assert.equal(error.code, -3);
      assert.equal(error.script, 'promote-9');
      assert.match(error.message, /^Job 7: the job is no longer in the state "delayed"/);
    });
  });

  it('that meets a key of the wrong type changes nothing and says where it stopped', async () => {
    await seedJobs(stage.admin, mail, 'delayed', [{ id: '7' }]);
    await stage.admin.set(mail.meta(), 'no hash');
    const error = await rejection(queue.promoteJob('7'), ScriptFailure.is);
    assert.match(error.message, /^promote-9 failed at includes\/\w+\.lua:\d+: WRONGTYPE/);
    assert.match(error.file ?? '', /^includes\/\w+\.lua$/);
    assert.equal((await stage.admin.zscore(mail.delayed(), '7')) !== null, true);
  });

  it('of one prefix leaves the same queue and job of another alone', async () => {
    const others = ['bull', 'emq:mail', '{emq}', 'em?', '*'].map((prefix) => new Keys(prefix, 'mail'));
    for (const keys of [mail, ...others]) {
      await seedJobs(stage.admin, keys, 'failed', [{ id: '7' }]);
      await seedJobs(stage.admin, keys, 'delayed', [{ id: '8' }]);
    }
    await queue.retryJob('7', 'failed');
    await queue.promoteJob('8');
    await queue.addJob({ name: 'n', data: '{}' });
    for (const keys of others) {
      assert.equal(await stage.admin.zcard(keys.failed()), 1);
      assert.equal(await stage.admin.zcard(keys.delayed()), 1);
      assert.equal(await stage.admin.exists(keys.wait(), keys.events(), keys.id(), keys.marker()), 0);
    }
  });
});
