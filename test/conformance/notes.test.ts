/**
 * What workers and those who wait for a job note and ask: every branch of `updateProgress-3`, `addLog-2`,
 * `isFinished-3` and `saveStacktrace-1`.
 */
import { addLog, isFinished, saveStacktrace, updateProgress } from './support/managementCalls';
import { PAST } from './support/operations';
import { Comparison, type Side } from './support/scenario';

describe('notes about a job leave and answer what the reference leaves and answers', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  it('progress: the field and the event hold the same text', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      await updateProgress(side, '1', '{"done":1.0, "of":[]}');
    }));

  it('progress of a job that does not exist: -1', () =>
    both.assertSame(async (side) => {
      await updateProgress(side, 'gone', '1');
    }));

  it('progress with a small cap of events: the stream is trimmed', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
      for (let i = 0; i < 110; i++) await updateProgress(side, '1', `${i}`);
    }));

  it('progress without a cap of events: the default is written down', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      await side.redis.del(side.keys.meta());
      await updateProgress(side, '1', '1');
    }));

  for (const keep of ['', 1, 2, 5] as const) {
    it(`log rows, of which ${keep === '' ? 'all' : `the last ${keep}`} are kept`, () =>
      both.assertSame(async (side) => {
        await side.add({ timestamp: PAST });
        for (const row of ['one', 'two', 'three']) await addLog(side, '1', row, keep);
      }));
  }

  it('a log row of a job that does not exist: -1, and no list', () =>
    both.assertSame(async (side) => {
      await addLog(side, 'gone', 'row');
    }));

  const arrangements: Readonly<Record<string, (side: Side) => Promise<unknown>>> = {
    waiting: (side) => side.add({ timestamp: PAST }),
    completed: async (side) => {
      await side.add({ timestamp: PAST });
      await side.complete(await side.fetch());
    },
    failed: async (side) => {
      await side.add({ timestamp: PAST });
      await side.fail(await side.fetch());
    },
    'completed, without its hash': async (side) => {
      await side.add({ timestamp: PAST });
      await side.complete(await side.fetch());
      await side.redis.del(side.keys.job('1'));
    },
    'completed, without its return value': async (side) => {
      await side.add({ timestamp: PAST });
      await side.complete(await side.fetch());
      await side.redis.hdel(side.keys.job('1'), 'returnvalue');
    },
  };
  for (const [name, arrange] of Object.entries(arrangements)) {
    for (const outcome of [false, true]) {
      it(`whether a job is finished that is ${name}${outcome ? ', with its outcome' : ''}`, () =>
        both.assertSame(async (side) => {
          await arrange(side);
          await isFinished(side, '1', { outcome });
        }));
    }
  }

  it('a stack trace: both fields are written, and nothing moves', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST });
      await saveStacktrace(side, '1', '["Error: boom"]', 'boom');
    }));

  it('a stack trace of a job that does not exist: -1, and no hash', () =>
    both.assertSame(async (side) => {
      await saveStacktrace(side, 'gone', '[]', 'boom');
    }));
});
