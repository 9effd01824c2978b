/**
 * What a person does with queues and jobs, as calls of the scripts with exact KEYS and ARGV: the same go to the
 * reference's scripts and to ours, so the form of the call is held along with what it does.
 */
import { PAST } from './operations';
import type { Side } from './scenario';

/** What the clock of the calls says when nothing else is asked for: long past, so that no real reading equals it. */
export const NOW = PAST + 1_000_000;

export function pause(side: Side) {
  const k = side.keys;
  const keys = [k.wait(), k.paused(), k.meta(), k.prioritized(), k.events(), k.delayed(), k.marker()];
  return side.call('pause-7', keys, ['paused']);
}

export function resume(side: Side) {
  const k = side.keys;
  const keys = [k.paused(), k.wait(), k.meta(), k.prioritized(), k.events(), k.delayed(), k.marker()];
  return side.call('pause-7', keys, ['resumed']);
}

export function removeJob(side: Side, id: string, { children = false } = {}) {
  const k = side.keys;
  return side.call('removeJob-2', [k.job(id), k.repeat()], [id, children ? '1' : '0', k.base]);
}

export function changeDelay(side: Side, id: string, delay: number, timestamp = NOW) {
  const k = side.keys;
  const keys = [k.delayed(), k.meta(), k.marker(), k.events()];
  return side.call('changeDelay-4', keys, [delay, timestamp, id, k.job(id)]);
}

export function changePriority(side: Side, id: string, priority: number, { lifo = false } = {}) {
  const k = side.keys;
  return side.call(
    'changePriority-7',
    [k.wait(), k.paused(), k.meta(), k.prioritized(), k.active(), k.priorityCounter(), k.marker()],
    [priority, k.base, id, lifo ? '1' : '0'],
  );
}

export function updateData(side: Side, id: string, data: string) {
  return side.call('updateData-1', [side.keys.job(id)], [data]);
}
