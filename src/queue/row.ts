/** Reads what a row shows of a job: small fields of its hash only, and never `data`. */
import type { ReadCommand, ReadReply } from '../executor/types';
import { decodeInteger, type JobField, wireName } from '../keys/jobFields';
import type { Keys } from '../keys/keys';
import { decodeDelayedScore, decodePriorityScore, decodeTimeScore } from '../keys/scores';
import type { JobState } from '../keys/states';
import { findError, findNumber, withoutUndefined } from './replies';
import type { JobRow } from './types';

/** Texts of a hash by field. */
export type FieldTexts = Readonly<Partial<Record<JobField, string>>>;

const ALWAYS: readonly JobField[] = [
  'name',
  'timestamp',
  'attemptsStarted',
  'attemptsMade',
  'legacyAttemptsMade',
  'stallCount',
  'schedulerId',
];

/** The fields a row needs. A finished job tells its finish time by its score, a prioritized one its priority. */
function fieldsFor(state: JobState): readonly JobField[] {
  switch (state) {
    case 'completed':
    case 'failed':
      return [...ALWAYS, 'processedOn'];
    case 'active':
      return [...ALWAYS, 'processedOn', 'priority', 'deferredFailure'];
    case 'prioritized':
      return [...ALWAYS, 'deferredFailure'];
    case 'wait':
    case 'paused':
    case 'delayed':
    case 'waiting-children':
      return [...ALWAYS, 'delay', 'priority', 'deferredFailure'];
  }
}

/** The reads for one row; {@link decodeRow} takes their replies in the same order. */
export function rowCommands(keys: Keys, id: string, state: JobState): ReadCommand[] {
  const key = keys.job(id);
  const commands: ReadCommand[] = [
    ['EXISTS', key],
    ['HMGET', key, ...fieldsFor(state).map(wireName)],
    ['HEXISTS', key, wireName('parentKey')],
    ['HSTRLEN', key, wireName('failedReason')],
  ];
  // A lock exists only while a job runs.
  return state === 'active' ? [...commands, ['PTTL', keys.lock(id)]] : commands;
}

/**
 * A row from the replies to {@link rowCommands}.
 * @param score the entry's score, where the state is a sorted set.
 */
export function decodeRow(
  id: string,
  state: JobState,
  score: string | undefined,
  replies: readonly ReadReply[],
): JobRow {
  const [exists, hash, hasParent, reasonLength, ttl] = replies;
  const texts = decodeTexts(fieldsFor(state), hash);
  const bytes = findNumber(reasonLength) ?? 0;
  return withoutUndefined<JobRow>({
    id,
    state,
    exists: findNumber(exists) !== 0,
    problem: findError(hash),
    ...decodeFields(texts),
    ...(score === undefined ? {} : decodeScore(state, score)),
    failedReason: bytes > 0 ? { bytes } : undefined,
    hasParent: findNumber(hasParent) === 1,
    lockTtlMs: state === 'active' ? decodeTtl(findNumber(ttl)) : undefined,
  });
}

/** Pairs the reply of an HMGET with the fields it asked for. */
export function decodeTexts(fields: readonly JobField[], reply: ReadReply | undefined): FieldTexts {
  const values = reply && 'value' in reply && Array.isArray(reply.value) ? reply.value : [];
  return Object.fromEntries(
    fields.flatMap((field, i) => (typeof values[i] === 'string' ? [[field, values[i]]] : [])),
  );
}

/** What the texts of a hash say about a row. Garbage says nothing. */
export function decodeFields(texts: FieldTexts) {
  return {
    name: texts.name,
    createdMs: decodeInteger(texts.timestamp),
    delayMs: decodeInteger(texts.delay),
    priority: decodeInteger(texts.priority),
    attemptsStarted: decodeInteger(texts.attemptsStarted),
    attemptsMade: decodeInteger(texts.legacyAttemptsMade) ?? decodeInteger(texts.attemptsMade),
    stallCount: decodeInteger(texts.stallCount),
    processedMs: decodeInteger(texts.processedOn),
    finishedMs: decodeInteger(texts.finishedOn),
    schedulerId: texts.schedulerId,
    deferredFailure: texts.deferredFailure,
  };
}

/** What the score of an entry says about a row. */
export function decodeScore(state: JobState, score: string): Partial<JobRow> {
  switch (state) {
    case 'delayed':
      return withoutUndefined<Partial<JobRow>>({ dueMs: decodeDelayedScore(score)?.dueMs });
    case 'prioritized':
      return withoutUndefined<Partial<JobRow>>({ priority: decodePriorityScore(score)?.priority });
    case 'completed':
    case 'failed':
      return withoutUndefined<Partial<JobRow>>({ finishedMs: decodeTimeScore(score) });
    default:
      return {};
  }
}

/** PTTL as a row tells it: `null` without a key. A key that cannot be looked at tells nothing. */
const decodeTtl = (ttl: number | undefined) => (ttl === -2 ? null : ttl);
