import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openStage, type Stage } from '../redis/support/stage';
import { SIZED_TIMEOUT_MS, sized } from '../support/size';
import { apply, createModel, type Model } from './model';
import { calmSteps, type Step } from './operations';
import { describeModel, World } from './world';

const START_MS = 1_790_000_000_000;

/** The longest sequence, and how many of them. */
const LENGTH = sized(120, 1000);
const RUNS = sized(12, 250);

describe('random operations on a queue', function () {
  this.timeout(SIZED_TIMEOUT_MS);
  let stage: Stage;
  let operations = 0;

  before(async () => {
    stage = await openStage();
  });
  after(async () => {
    console.log(`      ${operations} operations`);
    await stage.close();
  });

  /** After each step Redis holds what the model says: each job in one state, in its place, with its past. */
  async function follow(steps: readonly Step[], concurrency: number | undefined): Promise<void> {
    await stage.admin.flushall();
    const model: Model = createModel(START_MS, concurrency);
    const world = new World(stage.admin, stage.connect(), 'model', () => model.nowMs);
    if (concurrency !== undefined) await stage.admin.hset(world.keys.meta(), 'concurrency', concurrency);
    for (const { operation } of steps) {
      operations += 1;
      const what = JSON.stringify(operation);
      const done = await world.run(model, operation);
      assert.equal(done.outcome, apply(model, operation, done.recovered), what);
      assert.deepEqual(await world.look(), describeModel(model), what);
      const { states, isPaused } = describeModel(model);
      const counts = Object.fromEntries(Object.entries(states).map(([state, ids]) => [state, ids.length]));
      assert.deepEqual(await world.count(), { counts, isPaused }, what);
    }
    await world.executor.close();
  }

  it('leave each job in one state, in its place, and counted there, as a model without a Redis says', () =>
    fc.assert(
      fc.asyncProperty(calmSteps(LENGTH), fc.constantFrom(undefined, 1, 2, 5), (steps, concurrency) =>
        follow(steps, concurrency),
      ),
      { numRuns: RUNS },
    ));
});
