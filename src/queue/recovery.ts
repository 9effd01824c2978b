/**
 * Forced stall recovery. It keeps out of the workers' way: the protocol's own script gets a private stalled set with
 * the chosen ids and a private throttle, both in the queue's slot, and one MULTI/EXEC fills, moves and drops them.
 * The script leaves every job that has a lock, so a lock taken after the list was shown is respected. The set has an
 * expiry too; should this process die, nothing stays.
 */
import { encode } from '@msgpack/msgpack';
import { InputError } from '../base/errors';
import type { Executor, ReadCommand, ReadReply, ScriptCall } from '../executor/types';
import { decodeInteger, wireName } from '../keys/jobFields';
import type { Keys } from '../keys/keys';
import { MAX_PAGE_SIZE, readPage } from './page';
import { findNumber, findText } from './replies';
import { describeTransition } from './stateMachine';
import type { JobRow, RecoveryCandidate, RecoveryReport, RecoverySearch } from './types';

/** How many active jobs a search looks at unless told otherwise. */
export const RECOVERY_SEARCH_LIMIT = 10_000;
/** How long the private keys could outlive this process. */
const PRIVATE_KEY_TTL_MS = 60_000;
/** Options longer than this are not fetched; such a job counts as not exempt. */
const MAX_OPTIONS_BYTES = 64 * 1024;
/** How far into `active` it is looked whether a job that was left alone is still there. */
const ACTIVE_SEARCH_LIMIT = 10_000;

/**
 * The active jobs without a lock key, a page at a time, up to a limit. A job that moves while the pages are read can
 * be missed; none is told twice.
 */
export async function findRecoveryCandidates(
  executor: Executor,
  keys: Keys,
  limit = RECOVERY_SEARCH_LIMIT,
): Promise<RecoverySearch> {
  const candidates = new Map<string, RecoveryCandidate>();
  let searched = 0;
  let total = 0;
  while (searched < limit) {
    const size = Math.min(MAX_PAGE_SIZE, limit - searched);
    const page = await readPage(executor, keys, 'active', { offset: searched, limit: size });
    total = page.total;
    searched += page.rows.length;
    const lockless = page.rows.filter((row) => row.lockTtlMs === null && !candidates.has(row.id));
    const stalls = await readStalls(
      executor,
      keys,
      lockless.map((row) => row.id),
    );
    for (const row of lockless) candidates.set(row.id, toCandidate(row, stalls.get(row.id)));
    if (page.rows.length < size) break;
  }
  return { candidates: [...candidates.values()], searched, total: Math.max(total, searched) };
}

const toCandidate = (row: JobRow, stall: Stall | undefined): RecoveryCandidate => ({
  id: row.id,
  row,
  stallCount: stall?.count ?? 0,
  isExempt: stall?.isExempt ?? false,
});

interface Stall {
  readonly count: number;
  readonly isExempt: boolean;
}

/** How often jobs have stalled, and whether the limit is for them at all. */
async function readStalls(
  executor: Executor,
  keys: Keys,
  ids: readonly string[],
): Promise<Map<string, Stall>> {
  const options = wireName('options');
  const first = await executor.read(
    ids.flatMap((id): ReadCommand[] => [
      ['HGET', keys.job(id), wireName('stallCount')],
      ['HSTRLEN', keys.job(id), options],
    ]),
  );
  const readable = ids.filter((_, i) => {
    const bytes = findNumber(first[2 * i + 1]) ?? 0;
    return bytes > 0 && bytes <= MAX_OPTIONS_BYTES;
  });
  const texts = await executor.read(readable.map((id): ReadCommand => ['HGET', keys.job(id), options]));
  const exempt = new Set(readable.filter((_, i) => isIteration(findText(texts[i]))));
  return new Map(
    ids.map((id, i) => [id, { count: decodeInteger(findText(first[2 * i])) ?? 0, isExempt: exempt.has(id) }]),
  );
}

/** Iterations of a scheduler are told by the option `repeat`. */
function isIteration(options: string | undefined): boolean {
  try {
    const parsed: unknown = JSON.parse(options ?? '{}');
    // The script sees null as absent.
    return typeof parsed === 'object' && parsed !== null && 'repeat' in parsed;
  } catch {
    return false;
  }
}

/**
 * Recovers chosen jobs that are active and have no lock.
 * @param maxStalledCount how often a job may stall; past it the next worker fails the job.
 * @param recoveryId makes the private keys this recovery's own.
 * @throws InputError before anything is sent; ConnectionError and ScriptFailure as the executor does.
 */
export async function recoverStalled(
  executor: Executor,
  keys: Keys,
  ids: readonly string[],
  maxStalledCount: number,
  nowMs: number,
  recoveryId: string,
): Promise<RecoveryReport> {
  if (!Number.isSafeInteger(maxStalledCount) || maxStalledCount < 0) {
    throw new InputError(`The stall limit must be a whole number from 0, not ${maxStalledCount}.`);
  }
  const chosen = [...new Set(ids)];
  // The script takes such an id out of `active` and nothing more.
  const isMarker = (id: string) => id === '' || id.startsWith('0:');
  const markers = chosen.filter(isMarker);
  const jobs = chosen.filter((id) => !isMarker(id));
  const stalls = await readStalls(executor, keys, jobs);
  const recovered = jobs.length === 0 ? [] : await runRecovery();

  async function runRecovery(): Promise<string[]> {
    const replies = await executor.runTogether(recoveryCalls(keys, jobs, maxStalledCount, nowMs, recoveryId));
    const reply = replies[1];
    return Array.isArray(reply) ? reply.map(String) : [];
  }

  const moved = new Set(recovered);
  const left = jobs.filter((id) => !moved.has(id));
  return {
    recovered,
    willFail: recovered.filter((id) => {
      const stall = stalls.get(id);
      return stall !== undefined && !stall.isExempt && stall.count + 1 > maxStalledCount;
    }),
    skipped: [
      ...markers.map((id) => ({ id, reason: 'It is a marker of an older release, not a job.' })),
      ...(await explainSkipped(executor, keys, left)),
    ],
  };
}

function recoveryCalls(
  keys: Keys,
  ids: readonly string[],
  maxStalledCount: number,
  nowMs: number,
  recoveryId: string,
): ScriptCall[] {
  const set = keys.recoverySet(recoveryId);
  const throttle = keys.recoveryThrottle(recoveryId);
  const { queueKey } = keys;
  const [fill = '', move = '', drop = ''] = describeTransition('recover').scripts;
  return [
    {
      script: fill,
      keys: [set],
      args: [PRIVATE_KEY_TTL_MS, encode(ids)],
      queueKey,
    },
    {
      script: move,
      keys: [
        set,
        keys.wait(),
        keys.active(),
        throttle,
        keys.meta(),
        keys.paused(),
        keys.marker(),
        keys.events(),
      ],
      args: [maxStalledCount, keys.base, nowMs, PRIVATE_KEY_TTL_MS],
      queueKey,
    },
    { script: drop, keys: [set, throttle], args: [], queueKey },
  ];
}

/** The recovery is done by now and its report must come, so a failure to look is no error. */
async function explainSkipped(executor: Executor, keys: Keys, ids: readonly string[]) {
  const commands = ids.flatMap((id): ReadCommand[] => [
    ['EXISTS', keys.lock(id)],
    ['LPOS', keys.active(), id, 'MAXLEN', ACTIVE_SEARCH_LIMIT],
  ]);
  const replies = await executor.read(commands).catch((): ReadReply[] => []);
  if (replies.length === 0)
    return ids.map((id) => ({ id, reason: 'It was left alone; why could not be read.' }));
  return ids.map((id, i) => ({ id, reason: explain(replies[2 * i], replies[2 * i + 1]) }));
}

function explain(lock: ReadReply | undefined, position: ReadReply | undefined): string {
  if (findNumber(lock) === 1) return 'A worker holds its lock.';
  return findNumber(position) === undefined ? 'It is not active any more.' : 'It was moved meanwhile.';
}
