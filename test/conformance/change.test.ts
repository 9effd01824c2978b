/** Changing a job where it is: every branch of `changeDelay-4`, `changePriority-7` and `updateData-1`. */
import { changeDelay, changePriority, NOW, pause, updateData } from './support/managementCalls';
import { FUTURE, PAST } from './support/operations';
import { Comparison, type Side } from './support/scenario';

describe('changing a job leaves what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  const later = { timestamp: FUTURE, delay: 1000 };

  describe('its delay:', () => {
    it('later: a new place, the field, the event with the time it is due, the marker of the earliest', () =>
      both.assertSame(async (side) => {
        await side.add(later);
        await side.add({ timestamp: FUTURE, delay: 500 });
        await changeDelay(side, '2', 3000, FUTURE);
      }));

    it('sooner than all others: the marker moves', () =>
      both.assertSame(async (side) => {
        await side.add(later);
        await side.add(later);
        await changeDelay(side, '2', 5);
      }));

    it('to the millisecond it has: behind all others of it', () =>
      both.assertSame(async (side) => {
        await side.add(later);
        await side.add(later);
        await changeDelay(side, '1', 1000, FUTURE);
      }));

    it('to a millisecond whose last place is taken: shares it', () =>
      both.assertSame(async (side) => {
        await side.add(later);
        await side.redis.zadd(side.keys.delayed(), (NOW + 7) * 4096 + 4095, 'last');
        await changeDelay(side, '1', 7);
      }));

    for (const delay of [0, -5]) {
      it(`${delay}: due at the time of the call, and still delayed`, () =>
        both.assertSame(async (side) => {
          await side.add(later);
          await changeDelay(side, '1', delay);
        }));
    }

    it('in a paused queue: the marker is set all the same', () =>
      both.assertSame(async (side) => {
        await side.add(later);
        await pause(side);
        await changeDelay(side, '1', 5);
      }));

    it('of a job that waits: -3', () =>
      both.assertSame(async (side) => {
        await side.add({ timestamp: PAST });
        await changeDelay(side, '1', 5);
      }));

    it('of a job that does not exist: -1', () =>
      both.assertSame(async (side) => {
        await side.add(later);
        await changeDelay(side, 'gone', 5);
      }));

    it('of an id whose hash is gone: -1, and the id stays', () =>
      both.assertSame(async (side) => {
        await side.add(later);
        await side.redis.del(side.keys.job('1'));
        await changeDelay(side, '1', 5);
      }));

    it('with a small cap of events: the stream is trimmed', () =>
      both.assertSame(async (side) => {
        for (let i = 0; i < 110; i++) await side.add({ timestamp: PAST });
        await side.add(later);
        await side.redis.hset(side.keys.meta(), 'opts.maxLenEvents', 10);
        await changeDelay(side, '111', 5);
      }));

    it('without a cap of events: the default is written down', () =>
      both.assertSame(async (side) => {
        await side.add(later);
        await side.redis.del(side.keys.meta());
        await changeDelay(side, '1', 5);
      }));
  });

  describe('its priority:', () => {
    const addThree = async (side: Side, options: object) => {
      for (let i = 0; i < 3; i++) await side.add({ timestamp: PAST, ...options });
    };

    for (const lifo of [false, true]) {
      const how = lifo ? ', to the front' : '';

      it(`from none to one${how}`, () =>
        both.assertSame(async (side) => {
          await addThree(side, {});
          await side.add({ timestamp: PAST, priority: 4 });
          await side.redis.del(side.keys.marker());
          await changePriority(side, '2', 4, { lifo });
        }));

      it(`from one to another${how}`, () =>
        both.assertSame(async (side) => {
          await addThree(side, { priority: 3 });
          await side.redis.del(side.keys.marker());
          await changePriority(side, '2', 9, { lifo });
        }));

      it(`to the same${how}`, () =>
        both.assertSame(async (side) => {
          await addThree(side, { priority: 3 });
          await changePriority(side, '2', 3, { lifo });
        }));

      it(`from one to none${how}`, () =>
        both.assertSame(async (side) => {
          await addThree(side, {});
          await side.add({ timestamp: PAST, priority: 3 });
          await side.redis.del(side.keys.marker());
          await changePriority(side, '4', 0, { lifo });
        }));

      it(`from none to none${how}: to that end of the list`, () =>
        both.assertSame(async (side) => {
          await addThree(side, {});
          await changePriority(side, '2', 0, { lifo });
        }));

      it(`in a paused queue, from none to one and from one to none${how}: without a marker`, () =>
        both.assertSame(async (side) => {
          await addThree(side, {});
          await side.add({ timestamp: PAST, priority: 3 });
          await pause(side);
          await changePriority(side, '2', 5, { lifo });
          await changePriority(side, '4', 0, { lifo });
        }));
    }

    it('in a queue at its concurrency: without a marker', () =>
      both.assertSame(async (side) => {
        await side.queue.setGlobalConcurrency(1);
        await addThree(side, {});
        await side.fetch();
        await side.redis.del(side.keys.marker());
        await changePriority(side, '2', 5);
      }));

    for (const [state, arrange] of [
      ['delayed', (side: Side) => side.add(later)],
      [
        'active',
        async (side: Side) => {
          await side.add({ timestamp: PAST });
          await side.fetch();
        },
      ],
      [
        'completed',
        async (side: Side) => {
          await side.add({ timestamp: PAST });
          await side.complete(await side.fetch());
        },
      ],
    ] as const) {
      it(`of a job that is ${state}: only the field`, () =>
        both.assertSame(async (side) => {
          await arrange(side);
          await changePriority(side, '1', 5);
        }));
    }

    it('of a job that does not exist: -1', () =>
      both.assertSame(async (side) => {
        await changePriority(side, 'gone', 5);
      }));

    it('of an id whose hash is gone: -1, and the id stays', () =>
      both.assertSame(async (side) => {
        await side.add({ timestamp: PAST });
        await side.redis.del(side.keys.job('1'));
        await changePriority(side, '1', 5);
      }));
  });

  describe('its data:', () => {
    it('byte for byte, whatever they are', () =>
      both.assertSame(async (side) => {
        await side.add({ timestamp: PAST });
        await updateData(side, '1', '{"n":9007199254740993, "f":1.0,  "ü":"\u0000"}');
      }));

    it('of a job that does not exist: -1', () =>
      both.assertSame(async (side) => {
        await updateData(side, 'gone', '{}');
      }));
  });
});
