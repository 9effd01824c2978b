/**
 * Pausing a queue and letting it go on. A queue can have waiting jobs in both lists, when runtimes that pause it in
 * different ways share it: the script joins the lists and loses none, a bounded number of entries a call.
 */
import type { Executor, ScriptCall } from '../executor/types';
import type { Keys } from '../keys/keys';
import { describeTransition } from './stateMachine';

/** Keeps workers from fetching further jobs. Also of a queue that is paused already: nothing changes then. */
export const pauseQueue = (executor: Executor, keys: Keys): Promise<void> =>
  runToTheEnd(executor, pauseCall(keys));

/** Lets workers fetch again. Also of a queue that is not paused: what stands in `paused` by mistake joins `wait`. */
export const resumeQueue = (executor: Executor, keys: Keys): Promise<void> =>
  runToTheEnd(executor, resumeCall(keys));

async function runToTheEnd(executor: Executor, call: ScriptCall): Promise<void> {
  let left = await executor.run(call);
  while (typeof left === 'number' && left > 0) left = await executor.run(call);
}

const pauseCall = (k: Keys): ScriptCall => ({
  script: describeTransition('pause').scripts[0] ?? '',
  keys: [k.wait(), k.paused(), k.meta(), k.prioritized(), k.events(), k.delayed(), k.marker()],
  args: ['paused'],
  queueKey: k.queueKey,
});

const resumeCall = (k: Keys): ScriptCall => ({
  script: describeTransition('resume').scripts[0] ?? '',
  keys: [k.paused(), k.wait(), k.meta(), k.prioritized(), k.events(), k.delayed(), k.marker()],
  args: ['resumed'],
  queueKey: k.queueKey,
});
