/**
 * One job as its document shows it: two round trips of plain reads. Sizes come first, so that a job of many megabytes
 * opens with what is small, and its state is searched within a stated budget.
 */
import type { Executor, ReadCommand, ReadReply } from '../executor/types';
import { decodeStacktraces, JOB_FIELDS, type JobField, wireName } from '../keys/jobFields';
import type { Keys } from '../keys/keys';
import { type JobState, STATES } from '../keys/states';
import { findError, findNumber, findText, findTexts, withoutUndefined } from './replies';
import { decodeFields, decodeScore, decodeTexts, type FieldTexts } from './row';
import type { FieldText, JobData, JobDetails } from './types';

/** How many entries at each end of a list are searched for a job. */
export const LIST_SEARCH_LIMIT = 10_000;
/** A field longer than this comes as its size unless it is asked for. */
const DEFAULT_FIELD_BYTES = 256 * 1024;
/** At most so many of the last log rows are read. */
const LOG_ROWS = 100;
/** A hash with more fields than this is none of the protocol's, and its field names are not listed. */
const MAX_LISTED_FIELDS = 200;

const SMALL_FIELDS: readonly JobField[] = [
  'name',
  'timestamp',
  'delay',
  'priority',
  'attemptsStarted',
  'attemptsMade',
  'legacyAttemptsMade',
  'stallCount',
  'processedOn',
  'processedBy',
  'finishedOn',
  'schedulerId',
  'deferredFailure',
  'parentKey',
  'deduplicationId',
];
const LARGE_FIELDS = ['data', 'options', 'returnValue', 'progress', 'stacktrace', 'failedReason'] as const;
type LargeField = (typeof LARGE_FIELDS)[number];

export interface ReadJobOptions {
  /** Fields longer than this come as their size. `Infinity` loads all. Default 256 kB. */
  readonly maxFieldBytes?: number;
}

interface Place {
  readonly state: JobState | undefined;
  readonly score?: string;
  readonly searchLimit?: number;
}

interface Overview {
  readonly texts: FieldTexts;
  readonly sizes: Readonly<Record<LargeField, number>>;
  readonly exists: boolean;
  readonly problem: ReturnType<typeof findError>;
  readonly fieldCount: number;
  readonly logCount: number;
  /** `undefined` where the server does not tell. */
  readonly logBytes: number | undefined;
  readonly lock: JobDetails['lock'];
  readonly place: Place;
}

/**
 * A job, or `undefined` when it has no hash and is in no state.
 * @param hint the state it was last seen in, which wins should it be found in two.
 * @throws ConnectionError when the server cannot be asked.
 */
export async function readJob(
  executor: Executor,
  keys: Keys,
  id: string,
  hint?: JobState,
  options: ReadJobOptions = {},
): Promise<JobDetails | undefined> {
  const limit = options.maxFieldBytes ?? DEFAULT_FIELD_BYTES;
  const overview = await readOverview(executor, keys, id, hint);
  if (!overview.exists && overview.place.state === undefined) return undefined;
  const { fields, logs, names } = await readContent(executor, keys, id, overview, limit);
  const { texts, place } = overview;
  const known: readonly string[] = Object.values(JOB_FIELDS);
  const stacktrace = fields.stacktrace;
  return withoutUndefined<JobDetails>({
    address: { prefix: keys.prefix, queue: keys.queue },
    id,
    state: place.state,
    searchLimit: place.searchLimit,
    row: withoutUndefined<JobDetails['row']>({
      id,
      exists: overview.exists,
      problem: overview.problem,
      ...decodeFields(texts),
      ...(place.state && place.score !== undefined ? decodeScore(place.state, place.score) : {}),
      failedReason: fields.failedReason,
      hasParent: texts.parentKey !== undefined,
      lockTtlMs: place.state === 'active' ? (overview.lock?.ttlMs ?? null) : undefined,
    }),
    data: fields.data,
    options: fields.options,
    returnValue: fields.returnValue,
    progress: fields.progress,
    stacktraces: stacktrace && 'bytes' in stacktrace ? stacktrace : decodeStacktraces(stacktrace?.text),
    logs,
    logCount: overview.logCount,
    parentKey: texts.parentKey,
    processedBy: texts.processedBy,
    deduplicationId: texts.deduplicationId,
    lock: overview.lock,
    otherFields: names.filter((name) => !known.includes(name)),
  });
}

const zsets = STATES.filter(({ type }) => type === 'zset').map(({ state }) => state);
const lists = STATES.filter(({ type }) => type === 'list').map(({ state }) => state);

async function readOverview(
  executor: Executor,
  keys: Keys,
  id: string,
  hint: JobState | undefined,
): Promise<Overview> {
  const key = keys.job(id);
  const sizeCommands = LARGE_FIELDS.map((field): ReadCommand => ['HSTRLEN', key, wireName(field)]);
  const groups = await readGroups(executor, {
    hash: [
      ['EXISTS', key],
      ['HMGET', key, ...SMALL_FIELDS.map(wireName)],
      ['HLEN', key],
    ],
    sizes: sizeCommands,
    logs: [
      ['LLEN', keys.logs(id)],
      ['MEMORY', 'USAGE', keys.logs(id)],
    ],
    lock: [
      ['GET', keys.lock(id)],
      ['PTTL', keys.lock(id)],
    ],
    scores: zsets.map((state) => ['ZSCORE', keys.state(state), id]),
    lists: lists.flatMap((state): ReadCommand[] => [
      ['LLEN', keys.state(state)],
      ['LPOS', keys.state(state), id, 'RANK', 1, 'MAXLEN', LIST_SEARCH_LIMIT],
      ['LPOS', keys.state(state), id, 'RANK', -1, 'MAXLEN', LIST_SEARCH_LIMIT],
    ]),
  });
  const [exists, hash, fieldCount] = groups.hash;
  const [token, ttl] = groups.lock;
  const tokenText = findText(token);
  return {
    texts: decodeTexts(SMALL_FIELDS, hash),
    sizes: Object.fromEntries(
      LARGE_FIELDS.map((field, i) => [field, findNumber(groups.sizes[i]) ?? 0]),
    ) as Record<LargeField, number>,
    exists: findNumber(exists) !== 0,
    problem: findError(hash),
    fieldCount: findNumber(fieldCount) ?? 0,
    logCount: findNumber(groups.logs[0]) ?? 0,
    logBytes: findNumber(groups.logs[1]),
    lock: tokenText === undefined ? undefined : { token: tokenText, ttlMs: findNumber(ttl) ?? -1 },
    place: findPlace(groups.scores, groups.lists, hint),
  };
}

function findPlace(
  scores: readonly ReadReply[],
  found: readonly ReadReply[],
  hint: JobState | undefined,
): Place {
  const places: Place[] = [];
  for (const [i, state] of zsets.entries()) {
    const score = findText(scores[i]);
    if (score !== undefined) places.push({ state, score });
  }
  let isWhole = true;
  for (const [i, state] of lists.entries()) {
    const [length, fromHead, fromTail] = found.slice(i * 3, i * 3 + 3);
    if (findNumber(fromHead) !== undefined || findNumber(fromTail) !== undefined) places.push({ state });
    else if ((findNumber(length) ?? 0) > 2 * LIST_SEARCH_LIMIT) isWhole = false;
  }
  const place = places.find(({ state }) => state === hint) ?? places[0];
  if (place) return place;
  return { state: undefined, ...(isWhole ? {} : { searchLimit: LIST_SEARCH_LIMIT }) };
}

async function readContent(executor: Executor, keys: Keys, id: string, overview: Overview, limit: number) {
  const key = keys.job(id);
  const fetched = LARGE_FIELDS.filter((f) => overview.sizes[f] > 0 && overview.sizes[f] <= limit);
  const logRows = countLogRows(overview, limit);
  const groups = await readGroups(executor, {
    fields: fetched.map((field) => ['HGET', key, wireName(field)]),
    logs: logRows > 0 ? [['LRANGE', keys.logs(id), -logRows, -1]] : [],
    names: overview.fieldCount > 0 && overview.fieldCount <= MAX_LISTED_FIELDS ? [['HKEYS', key]] : [],
  });
  const fields: Partial<Record<LargeField, FieldText>> = {};
  for (const field of LARGE_FIELDS) {
    if (overview.sizes[field] > 0) fields[field] = { bytes: overview.sizes[field] };
  }
  for (const [i, field] of fetched.entries()) {
    const text = findText(groups.fields[i]);
    fields[field] = text === undefined ? undefined : { text };
  }
  return { fields, logs: findTexts(groups.logs[0]), names: findTexts(groups.names[0]) };
}

/** A list has no way to tell the size of its rows, so their average decides how many of the last are fetched. */
function countLogRows({ logCount, logBytes }: Overview, limit: number): number {
  const rows = Math.min(logCount, LOG_ROWS);
  if (logBytes === undefined || logBytes <= limit) return rows;
  return Math.min(rows, Math.floor(limit / (logBytes / logCount)));
}

/** Sends groups of commands as one round trip and gives the replies back by group. */
async function readGroups<G extends string>(
  executor: Executor,
  groups: Readonly<Record<G, readonly ReadCommand[]>>,
): Promise<Record<G, ReadReply[]>> {
  const entries = Object.entries<readonly ReadCommand[]>(groups);
  const replies = await executor.read(entries.flatMap(([, commands]) => commands));
  let at = 0;
  return Object.fromEntries(
    entries.map(([name, commands]) => {
      const own = replies.slice(at, at + commands.length);
      at += commands.length;
      return [name, own];
    }),
  ) as Record<G, ReadReply[]>;
}

/** Data longer than this is not fetched for a preview. */
const PREVIEW_FETCH_BYTES = 64 * 1024;

/**
 * The data of a job; `undefined` when it has none.
 * @param maxBytes longer data comes as its size.
 * @throws ConnectionError also for a garbage key.
 */
export async function readData(
  executor: Executor,
  keys: Keys,
  id: string,
  maxBytes = PREVIEW_FETCH_BYTES,
): Promise<JobData | undefined> {
  const field = wireName('data');
  const [size] = await executor.read([['HSTRLEN', keys.job(id), field]]);
  const problem = findError(size);
  if (problem) throw problem;
  const bytes = findNumber(size) ?? 0;
  if (bytes === 0) return undefined;
  if (bytes > maxBytes) return { bytes };
  const text = findText((await executor.read([['HGET', keys.job(id), field]]))[0]);
  return text === undefined ? undefined : { bytes, text };
}
