/**
 * What a person does with queues and jobs, as calls of the scripts with exact KEYS and ARGV: the same go to the
 * reference's scripts and to ours, so the form of the call is held along with what it does.
 */
import type { JobState } from '../../../src/keys/states';
import { PAST } from './operations';
import type { Caller } from './scenario';

/** What the clock of the calls says when nothing else is asked for: long past, so that no real reading equals it. */
export const NOW = PAST + 1_000_000;
/** The score that no score passes. */
const NO_MAXIMUM = '1.7976931348623157e+308';

export function pause(side: Caller) {
  const k = side.keys;
  const keys = [k.wait(), k.paused(), k.meta(), k.prioritized(), k.events(), k.delayed(), k.marker()];
  return side.call('pause-7', keys, ['paused']);
}

export function resume(side: Caller) {
  const k = side.keys;
  const keys = [k.paused(), k.wait(), k.meta(), k.prioritized(), k.events(), k.delayed(), k.marker()];
  return side.call('pause-7', keys, ['resumed']);
}

export function removeJob(side: Caller, id: string, { children = false } = {}) {
  const k = side.keys;
  return side.call('removeJob-2', [k.job(id), k.repeat()], [id, children ? '1' : '0', k.base]);
}

export function changeDelay(side: Caller, id: string, delay: number, timestamp = NOW) {
  const k = side.keys;
  const keys = [k.delayed(), k.meta(), k.marker(), k.events()];
  return side.call('changeDelay-4', keys, [delay, timestamp, id, k.job(id)]);
}

export function changePriority(side: Caller, id: string, priority: number, { lifo = false } = {}) {
  const k = side.keys;
  return side.call(
    'changePriority-7',
    [k.wait(), k.paused(), k.meta(), k.prioritized(), k.active(), k.priorityCounter(), k.marker()],
    [priority, k.base, id, lifo ? '1' : '0'],
  );
}

export function updateData(side: Caller, id: string, data: string) {
  return side.call('updateData-1', [side.keys.job(id)], [data]);
}

export function moveJobsToWait(
  side: Caller,
  state: 'failed' | 'completed' | 'delayed',
  { count = 1000, maxScore = NO_MAXIMUM as number | string } = {},
) {
  const k = side.keys;
  return side.call(
    'moveJobsToWait-8',
    [k.base, k.events(), k.state(state), k.wait(), k.paused(), k.meta(), k.active(), k.marker()],
    [count, maxScore, state],
  );
}

/** Removes jobs of a state. The order in which the reference names them is its own affair. */
export function clean(side: Caller, state: JobState, { latest = NOW, limit = 0 } = {}) {
  const k = side.keys;
  const keys = [k.state(state), k.events(), k.repeat()];
  return side.call('cleanJobsInSet-3', keys, [k.base, latest, limit, state], (reply) =>
    Array.isArray(reply) ? reply.map(String).sort() : reply,
  );
}

export function drain(side: Caller, { delayed = false } = {}) {
  const k = side.keys;
  const keys = [k.wait(), k.paused(), k.delayed(), k.prioritized(), k.repeat()];
  return side.call('drain-5', keys, [k.base, delayed ? '1' : '0']);
}

export function obliterate(side: Caller, { count = 1000, force = false } = {}) {
  const k = side.keys;
  return side.call('obliterate-2', [k.meta(), k.base], [count, force ? 'force' : '']);
}

export function updateProgress(side: Caller, id: string, progress: string) {
  const k = side.keys;
  return side.call('updateProgress-3', [k.job(id), k.events(), k.meta()], [id, progress]);
}

export function addLog(side: Caller, id: string, row: string, keep: number | '' = '') {
  const k = side.keys;
  return side.call('addLog-2', [k.job(id), k.logs(id)], [id, row, keep]);
}

/** The sentence of a missing job holds the queue's key, which is normalised like all keys. */
export function isFinished(side: Caller, id: string, { outcome = false } = {}) {
  const k = side.keys;
  return side.call('isFinished-3', [k.completed(), k.failed(), k.job(id)], [id, outcome ? '1' : '']);
}

export function saveStacktrace(side: Caller, id: string, stacktrace: string, reason: string) {
  return side.call('saveStacktrace-1', [side.keys.job(id)], [stacktrace, reason]);
}
