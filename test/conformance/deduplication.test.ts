/** Deduplication: every mode, every place of the owner, every kind of new job. */
import { FUTURE, PAST } from './support/operations';
import { Comparison, type Side } from './support/scenario';

/** The first owner's time to live is the longer one, so that it shows which of the two a key has. */
const FIRST_TTL_MS = 600000;
const SECOND_TTL_MS = 60000;

const modes = [false, true].flatMap((ttl) =>
  [false, true].flatMap((extend) =>
    [false, true].flatMap((replace) =>
      [false, true].map((keepLastIfActive) => ({ ttl, extend, replace, keepLastIfActive })),
    ),
  ),
);

const places: Record<string, (side: Side, deduplication: object) => Promise<void>> = {
  nowhere: async () => undefined,
  waiting: async (side, deduplication) => {
    await side.add({ timestamp: PAST, deduplication: { id: 'd', ...deduplication } });
  },
  delayed: async (side, deduplication) => {
    await side.add({ timestamp: FUTURE, delay: 500, deduplication: { id: 'd', ...deduplication } });
  },
  active: async (side, deduplication) => {
    await side.add({ timestamp: PAST, deduplication: { id: 'd', ...deduplication } });
    await side.fetch();
  },
};

const kinds = { plain: {}, delayed: { delay: 5000 }, prioritized: { priority: 3 } };

describe('deduplication leaves what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  for (const mode of modes) {
    const words = Object.entries(mode).flatMap(([option, isOn]) => (isOn ? [option] : []));
    const { ttl, ...flags } = mode;
    describe(`with ${words.join(', ') || 'the id alone'}`, () => {
      for (const [place, arrange] of Object.entries(places)) {
        for (const [kind, options] of Object.entries(kinds)) {
          for (const [by, first] of [
            ['the same mode', { ...flags, ...(ttl && { ttl: FIRST_TTL_MS }) }],
            ['a time to live alone', { ttl: FIRST_TTL_MS }],
          ] as const) {
            it(`owner ${place}, by ${by}, new job ${kind}`, () =>
              both.assertSame(async (side) => {
                await arrange(side, first);
                const deduplication = { id: 'd', ...flags, ...(ttl && { ttl: SECOND_TTL_MS }) };
                await side.add({ timestamp: FUTURE, deduplication, ...options }, { n: 2 }, 'second');
                await side.add({ timestamp: FUTURE, deduplication, ...options }, { n: 3 }, 'third');
              }));
          }
        }
      }
    });
  }

  it('a rejected job kept for later keeps its parent and its repeat job key', () =>
    both.assertSame(async (side) => {
      const deduplication = { id: 'd', keepLastIfActive: true };
      await side.add({ timestamp: PAST, deduplication });
      await side.fetch();
      await side.add({ timestamp: PAST, jobId: 'parent' });
      const parent = { id: 'parent', queue: side.keys.queueKey };
      await side.add({
        timestamp: PAST,
        deduplication,
        parent,
        repeatJobKey: 'r',
        failParentOnFailure: true,
      });
      await side.add({ timestamp: PAST, deduplication }, { n: 9 });
    }));

  it('two ids do not meet', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST, deduplication: { id: 'd' } });
      await side.add({ timestamp: PAST, deduplication: { id: 'e' } });
    }));

  it('a duplicate of a custom id comes before deduplication', () =>
    both.assertSame(async (side) => {
      await side.add({ timestamp: PAST, jobId: 'mine', deduplication: { id: 'd' } });
      await side.add({ timestamp: PAST, jobId: 'mine', deduplication: { id: 'd' } });
      await side.add({ timestamp: PAST, jobId: 'other', deduplication: { id: 'd' } });
    }));

  it('a replaced job loses everything below its hash but a lock', () =>
    both.assertSame(async (side) => {
      const deduplication = { id: 'd', replace: true };
      await side.add({ timestamp: FUTURE, delay: 10, deduplication });
      await side.redis.rpush(side.keys.logs('1'), 'row');
      await side.redis.set(side.keys.lock('1'), 'foreign');
      await side.add({ timestamp: FUTURE, delay: 20, deduplication });
    }));

  it('the stream is trimmed alike, by rejections and by replacements', () =>
    both.assertSame(async (side) => {
      await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
      for (let i = 0; i < 60; i++) {
        await side.add({ timestamp: PAST, deduplication: { id: 'd' } });
        await side.add({ timestamp: FUTURE, delay: 10, deduplication: { id: 'e', replace: true } });
      }
    }));
});
