/** Chooses the jobs of a bulk operation: ids only, a page at a time, the oldest or the next to run first. */
import type { Executor, ReadCommand } from '../executor/types';
import { type JobField, wireName } from '../keys/jobFields';
import type { Keys } from '../keys/keys';
import { describeState, type JobState } from '../keys/states';
import type { BulkOptions } from './bulk';
import { findTexts, requireValue } from './replies';

/** How many ids are read at a time. */
const PAGE = 1000;

export interface Choice {
  readonly state: JobState;
  /** Only jobs of this time or before, in ms since the epoch: when they finished, started or were added. */
  readonly upToMs?: number;
  /** At most so many. */
  readonly limit?: number;
}

/** What tells the age of a job, the first that is there; where nothing is said here, the score tells it. */
const AGE_FIELDS: Readonly<Partial<Record<JobState, readonly JobField[]>>> = {
  wait: ['finishedOn', 'processedOn', 'timestamp'],
  paused: ['finishedOn', 'processedOn', 'timestamp'],
  active: ['finishedOn', 'processedOn', 'timestamp'],
  delayed: ['processedOn', 'timestamp'],
  prioritized: ['timestamp'],
};

/**
 * The ids of the jobs that fit, each once. Jobs that move while the pages are read can be missed. When it is cancelled
 * what was chosen so far is given.
 * @throws ConnectionError also when the state's key cannot be read.
 */
export async function chooseJobs(
  executor: Executor,
  keys: Keys,
  { state, upToMs, limit = Number.POSITIVE_INFINITY }: Choice,
  options: BulkOptions = {},
): Promise<string[]> {
  const key = keys.state(state);
  const isList = describeState(state).type === 'list';
  const ageFields = AGE_FIELDS[state];
  const isByScore = upToMs !== undefined && ageFields === undefined;
  const [count] = await executor.read([
    isList ? ['LLEN', key] : isByScore ? ['ZCOUNT', key, '-inf', upToMs] : ['ZCARD', key],
  ]);
  const total = Number(requireValue(count));
  const chosen = new Set<string>();
  for (let from = 0; from < total && chosen.size < limit; from += PAGE) {
    if (options.cancellation?.isCancellationRequested) break;
    const to = Math.min(from + PAGE, total);
    const page: ReadCommand = isList ? ['LRANGE', key, -to, -from - 1] : ['ZRANGE', key, from, to - 1];
    const ids = findTexts((await executor.read([page]))[0]);
    // The tail of a list is served next.
    if (isList) ids.reverse();
    const isOld = await readIsOld(executor, keys, ids, isByScore ? undefined : upToMs, ageFields);
    for (const [i, id] of ids.entries()) if (isOld(i) && chosen.size < limit) chosen.add(id);
    options.onProgress?.({ phase: 'choosing', done: chosen.size, total });
  }
  return [...chosen];
}

/** Which jobs of a page are old enough; one without any time is. */
async function readIsOld(
  executor: Executor,
  keys: Keys,
  ids: readonly string[],
  upToMs: number | undefined,
  fields: readonly JobField[] | undefined,
): Promise<(index: number) => boolean> {
  if (upToMs === undefined || fields === undefined) return () => true;
  const names = fields.map(wireName);
  const replies = await executor.read(ids.map((id): ReadCommand => ['HMGET', keys.job(id), ...names]));
  const ages = replies.map((reply) => Number(findTexts(reply)[0]));
  return (index) => !((ages[index] ?? Number.NaN) > upToMs);
}
