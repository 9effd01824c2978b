import assert from 'node:assert/strict';
import { setTimeout as pass } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { ConnectionError } from '../../src/base/errors';
import { countClients, openStage, type Stage } from '../redis/support/stage';
import { type CountingProxy, startCountingProxy } from '../support/countingProxy';
import { SIZED_TIMEOUT_MS, sized } from '../support/size';
import { apply, createModel, type Model } from './model';
import { type Operation, roughSteps, type Step } from './operations';
import { type Done, describeModel, type Snapshot, World } from './world';

const START_MS = 1_790_000_000_000;
/** The longest sequence, and how many of them. */
const LENGTH = sized(100, 400);
const RUNS = sized(25, 250);
/** Round trips are not counted here. */
const SILENCE_MS = 1;

describe('random operations on a connection that is lost again and again', function () {
  this.timeout(SIZED_TIMEOUT_MS);
  let stage: Stage;
  let proxy: CountingProxy;
  /** How often a disturbed operation ended in which way. */
  const endings = new Map<string, number>();
  const note = (ending: string) => endings.set(ending, (endings.get(ending) ?? 0) + 1);

  before(async () => {
    stage = await openStage();
    proxy = await startCountingProxy(stage.server.port, SILENCE_MS);
  });
  after(async () => {
    for (const [ending, count] of endings) console.log(`      ${ending}: ${count}`);
    await stage.close();
    await proxy.close();
  });

  const open = (model: Model) =>
    new World(stage.admin, stage.connect({ port: proxy.port }), 'faults', () => model.nowMs);

  /** Runs an operation while something goes wrong on its way. */
  async function disturb(world: World, model: Model, { operation, fault }: Step): Promise<Done | Error> {
    if (fault?.kind === 'forgetScripts') await stage.admin.script('FLUSH');
    if (fault?.kind === 'loseAnswer') proxy.loseAnswerTo('EVAL');
    if (fault?.kind === 'swallow') proxy.mute(true);
    const running = world.run(model, operation).catch((error: Error) => error);
    if (fault) {
      // Which moment the loss meets is left to chance: that is the test.
      await pass(fault.afterMs);
      if (fault.kind === 'kill') await stage.admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      if (fault.kind === 'close') await world.executor.close();
      if (fault.kind === 'cut' || fault.kind === 'swallow') proxy.cut();
    }
    const result = await running;
    proxy.mute(false);
    proxy.loseAnswerTo(undefined);
    return result;
  }

  async function follow(steps: readonly Step[]): Promise<void> {
    await stage.admin.flushall();
    const model: Model = createModel(START_MS);
    let world = open(model);
    for (const step of steps) {
      const what = JSON.stringify(step);
      const result = await disturb(world, model, step);
      if (result instanceof Error) {
        assert.ok(ConnectionError.is(result), `${what} ended with ${result.stack}`);
        // What is still on its way to the server arrives before the connection is gone there.
        assert.equal(await countClients(stage.admin), 0);
        await settle(world, model, step.operation, result);
      } else {
        if (step.fault) note('done all the same');
        assert.equal(result.outcome, apply(model, step.operation, result.recovered), what);
      }
      assert.deepEqual(await world.look(), describeModel(model), what);
      if (step.fault?.kind === 'close') {
        await world.executor.close();
        world = open(model);
      }
    }
    await world.executor.close();
  }

  /** After a loss it was done once, or not at all; and where that cannot be known, the error says so. */
  async function settle(world: World, model: Model, operation: Operation, error: ConnectionError) {
    const seen = await world.look();
    const what = `${JSON.stringify(operation)} ended with ${error.code}: ${error.message}`;
    if (!isDeepStrictEqual(seen, describeModel(model))) {
      assert.equal(error.code, 'outcomeUnknown', what);
      apply(model, operation, findRecovered(model, seen));
      assert.deepEqual(seen, describeModel(model), what);
      note('unknown, and was done');
    } else {
      note(error.code === 'outcomeUnknown' ? 'unknown, and changed nothing' : 'known not to be done');
    }
    // Counters show in no state.
    model.lastId = Number(await stage.admin.get(world.keys.id()));
    model.priorityCounter = Number(await stage.admin.get(world.keys.priorityCounter()));
  }

  it('are done once or not at all, and who cannot know is told so', () =>
    fc.assert(fc.asyncProperty(roughSteps(LENGTH), follow), { numRuns: RUNS, endOnFailure: true }));

  it('met every kind of ending', () => {
    const expected = ['done all the same', 'unknown, and was done', 'known not to be done'];
    for (const ending of expected) assert.ok(endings.has(ending), `none was ${ending}`);
  });
});

/** What a pass recovered whose answer was lost: it was pushed to the end of the list, one after another. */
function findRecovered(model: Model, seen: Snapshot): string[] {
  const state = model.isPaused ? 'paused' : 'wait';
  const before = model.lists.active;
  return (seen.states[state] ?? []).filter((id) => before.includes(id));
}
