/** Each code that the scripts of active jobs can return, provoked: on ours and on the reference alike. */
import assert from 'node:assert/strict';
import { describeRefusal } from '../../src/scripts/codes';
import { SCRIPTS } from '../../src/scripts/registry.generated';
import { PAST } from './support/operations';
import { Comparison, type Side, TOKEN } from './support/scenario';
import { delayActiveJob, fetchJob, finishJob, giveBackJob, retryActiveJob } from './support/workerCalls';

const MOVES: Record<string, (side: Side, token: string) => Promise<unknown>> = {
  'moveToFinished-14': (side, token) => finishJob(side, '1', { token }),
  'moveToDelayed-8': (side, token) => delayActiveJob(side, '1', { token }),
  'retryJob-11': (side, token) => retryActiveJob(side, '1', { token }),
  'moveJobFromActiveToWait-9': (side, token) => giveBackJob(side, '1', token),
};

/** What makes an active job refuse, and the token that its worker shows. */
const CAUSES: Record<number, (side: Side) => Promise<string>> = {
  [-1]: async (side) => {
    await side.redis.del(side.keys.job('1'));
    return TOKEN;
  },
  [-2]: async (side) => {
    await side.redis.del(side.keys.lock('1'));
    return TOKEN;
  },
  [-3]: async (side) => {
    await side.redis.del(side.keys.active());
    return TOKEN;
  },
  [-4]: async (side) => {
    await side.redis.sadd(side.keys.dependencies('1'), 'child');
    return TOKEN;
  },
  [-6]: async () => "another worker's token",
  [-9]: async (side) => {
    await side.redis.zadd(side.keys.unsuccessful('1'), PAST, 'child');
    return TOKEN;
  },
};

describe('each code of the scripts of active jobs is provoked', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  for (const [script, move] of Object.entries(MOVES)) {
    const codes = SCRIPTS.find(({ file }) => file === `${script}.lua`)?.codes ?? [];
    it(`${script} has codes`, () => assert.ok(codes.length > 0));

    for (const code of codes) {
      it(`${script} returns ${code}: ${describeRefusal(code, { script })}`, async () => {
        const { ours, theirs } = await both.run(async (side) => {
          await side.add({ timestamp: PAST });
          await fetchJob(side);
          const token = await CAUSES[code]?.(side);
          assert.ok(token, `the test knows what makes a script return ${code}`);
          await move(side, token);
        });
        assert.deepEqual(ours.outcomes.at(-1), { value: code });
        assert.deepEqual(theirs.outcomes.at(-1), { value: code });
      });
    }
  }
});
