/**
 * What a worker does with its jobs, as calls of the scripts with exact KEYS and ARGV: the same bytes go to the
 * reference's scripts and to ours, so the form of the call is held along with what it does.
 */
import { encode } from '@msgpack/msgpack';
import { PAST } from './operations';
import { type Caller, type Side, TOKEN } from './scenario';

/** What the clock of the calls says when nothing else is asked for: long past, so that no real reading equals it. */
export const NOW = PAST + 1_000_000;

interface Worker {
  readonly timestamp?: number;
  /** `0` for no lock. */
  readonly token?: string;
  readonly lockDuration?: number;
  readonly limiter?: { readonly max?: number; readonly duration?: number } | null;
  readonly name?: string | null;
}

interface Move {
  readonly timestamp?: number;
  readonly token?: string;
  /** Names and values of fields to write along. */
  readonly fields?: readonly (string | number)[];
}

interface KeepPolicy {
  readonly count?: number;
  /** In seconds. */
  readonly age?: number;
  readonly limit?: number;
}

export interface Finish extends Worker, Move {
  readonly target?: 'completed' | 'failed';
  /** JSON of a result, or the text of a reason. */
  readonly value?: string;
  readonly keepJobs?: KeepPolicy;
  readonly attempts?: number;
  readonly maxMetricsSize?: number | '';
  readonly fetchNext?: boolean;
}

/** The worker's part of the packed arguments. */
function packWorker(worker: Worker): Record<string, unknown> {
  const { token = TOKEN, lockDuration = 30000, limiter = null, name = null } = worker;
  return { token, lockDuration, limiter, name };
}

const packFields = (fields: Move['fields']) => (fields ? encode(fields) : '');

/** A fetch's reply: the flat hash as an object, and the time of the rate limit, which runs, rounded up to 10 s. */
function readFetched(reply: unknown): unknown {
  if (!Array.isArray(reply)) return reply;
  const [flat, id, ttlMs, dueMs] = reply;
  const hash = Array.isArray(flat)
    ? Object.fromEntries(flat.flatMap((field, i) => (i % 2 === 0 ? [[field, flat[i + 1]]] : [])))
    : flat;
  return [hash, id, roundUp(ttlMs), dueMs];
}

const roundUp = (ms: unknown) => (typeof ms === 'number' && ms > 0 ? Math.ceil(ms / 10000) * 10000 : ms);

export function fetchJob(side: Caller, worker: Worker = {}) {
  const k = side.keys;
  return side.call(
    'moveToActive-11',
    [
      k.wait(),
      k.active(),
      k.prioritized(),
      k.events(),
      k.stalled(),
      k.limiter(),
      k.delayed(),
      k.paused(),
      k.meta(),
      k.priorityCounter(),
      k.marker(),
    ],
    [k.base, worker.timestamp ?? NOW, encode(packWorker(worker))],
    readFetched,
  );
}

export function finishJob(side: Caller, id: string, finish: Finish = {}) {
  const k = side.keys;
  const { timestamp = NOW, target = 'completed', keepJobs = { count: -1 }, attempts = 0 } = finish;
  const { value = target === 'completed' ? '{"ok":true}' : 'boom', maxMetricsSize = '', fetchNext } = finish;
  return side.call(
    'moveToFinished-14',
    [
      k.wait(),
      k.active(),
      k.prioritized(),
      k.events(),
      k.stalled(),
      k.limiter(),
      k.delayed(),
      k.paused(),
      k.meta(),
      k.priorityCounter(),
      k.state(target),
      k.job(id),
      k.metrics(target),
      k.marker(),
    ],
    [
      id,
      timestamp,
      target === 'completed' ? 'returnvalue' : 'failedReason',
      value,
      target,
      fetchNext ? '1' : '0',
      k.base,
      encode({ ...packWorker(finish), keepJobs, attempts, maxMetricsSize }, { ignoreUndefined: true }),
      packFields(finish.fields),
    ],
    readFetched,
  );
}

export function delayActiveJob(
  side: Caller,
  id: string,
  move: Move & { delay?: number; skip?: boolean } = {},
) {
  const k = side.keys;
  const { timestamp = NOW, token = TOKEN, delay = 5000, skip = false, fields } = move;
  return side.call(
    'moveToDelayed-8',
    [k.marker(), k.active(), k.prioritized(), k.delayed(), k.job(id), k.events(), k.meta(), k.stalled()],
    [k.base, timestamp, id, token, delay, skip ? '1' : '0', packFields(fields)],
  );
}

export function retryActiveJob(side: Caller, id: string, move: Move & { lifo?: boolean } = {}) {
  const k = side.keys;
  const { timestamp = NOW, token = TOKEN, lifo = false, fields } = move;
  return side.call(
    'retryJob-11',
    [
      k.active(),
      k.wait(),
      k.paused(),
      k.job(id),
      k.meta(),
      k.events(),
      k.delayed(),
      k.prioritized(),
      k.priorityCounter(),
      k.marker(),
      k.stalled(),
    ],
    [k.base, timestamp, lifo ? 'RPUSH' : 'LPUSH', id, token, packFields(fields)],
  );
}

export function giveBackJob(side: Caller, id: string, token = TOKEN) {
  const k = side.keys;
  return side.call(
    'moveJobFromActiveToWait-9',
    [
      k.active(),
      k.wait(),
      k.stalled(),
      k.paused(),
      k.meta(),
      k.limiter(),
      k.prioritized(),
      k.marker(),
      k.events(),
    ],
    [id, token, k.job(id)],
    roundUp,
  );
}

export function extendLock(side: Caller, id: string, token = TOKEN, durationMs = 60000) {
  const { keys } = side;
  return side.call('extendLock-2', [keys.lock(id), keys.stalled()], [token, durationMs, id]);
}

export function extendLocks(side: Caller, owners: readonly (readonly [id: string, token: string])[]) {
  const ids = owners.map(([id]) => id);
  const tokens = owners.map(([, token]) => token);
  return side.call(
    'extendLocks-1',
    [side.keys.stalled()],
    [side.keys.base, encode(tokens), encode(ids), 60000],
  );
}

export function releaseLock(side: Caller, id: string, token = TOKEN) {
  return side.call('releaseLock-1', [side.keys.lock(id)], [token, 30000]);
}

export function promoteJob(side: Caller, id: string) {
  const k = side.keys;
  return side.call(
    'promote-9',
    [
      k.delayed(),
      k.wait(),
      k.paused(),
      k.meta(),
      k.prioritized(),
      k.active(),
      k.priorityCounter(),
      k.events(),
      k.marker(),
    ],
    [k.base, id],
  );
}

export function reprocessJob(
  side: Caller,
  id: string,
  state: 'completed' | 'failed',
  { lifo = false, resetMade = false, resetStarted = false } = {},
) {
  const k = side.keys;
  const field = state === 'completed' ? 'returnvalue' : 'failedReason';
  return side.call(
    'reprocessJob-8',
    [k.job(id), k.events(), k.state(state), k.wait(), k.meta(), k.paused(), k.active(), k.marker()],
    [id, lifo ? 'RPUSH' : 'LPUSH', field, state, resetMade ? '1' : '0', resetStarted ? '1' : '0'],
  );
}

/** One pass for stalled jobs; which comes first of those recovered at once is up to Redis. */
export function recoverJobs(side: Caller, maxStalls: number, timestamp = NOW) {
  const k = side.keys;
  return side.call(
    'moveStalledJobsToWait-8',
    [k.stalled(), k.wait(), k.active(), k.stalledCheck(), k.meta(), k.paused(), k.marker(), k.events()],
    [maxStalls, k.base, timestamp, 600000],
  );
}

/** Jobs 1 to n, all active with a lock and marked; the last one is at the head. */
export async function activateJobs(side: Side, n = 1, options: object = {}): Promise<void> {
  for (let i = 1; i <= n; i++) {
    await side.add({ timestamp: PAST, ...options });
    await fetchJob(side);
    await side.redis.sadd(side.keys.stalled(), `${i}`);
  }
}
