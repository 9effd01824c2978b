/**
 * One page of a state, in the order in which a person reads it. Two round trips: the ids, then small fields of each;
 * for `failed` a third brings the short reasons. What comes back is held under a budget of bytes.
 */
import type { Executor, ReadCommand, ReadReply } from '../executor/types';
import { wireName } from '../keys/jobFields';
import type { Keys } from '../keys/keys';
import { describeState, type JobState } from '../keys/states';
import { findText, findTexts, measureReply, requireValue } from './replies';
import { decodeRow, rowCommands } from './row';
import type { JobPage, JobRow } from './types';

/** The most rows a page may have. */
export const MAX_PAGE_SIZE = 200;

/** A reason longer than this comes as its size. */
const MAX_REASON_BYTES = 1024;
/** A page of 100 stays under 20 kB. */
const BYTES_PER_ROW = 200;

export interface PageWindow {
  /** Position of the first row in reading order, from 0. */
  readonly offset: number;
  /** At most {@link MAX_PAGE_SIZE}. */
  readonly limit: number;
}

interface Entry {
  readonly id: string;
  readonly score?: string;
}

/**
 * A page of a state. In reading order the job that runs next comes first where jobs wait (`wait`, `paused`,
 * `prioritized`, `delayed`), and the newest elsewhere (`active`, `completed`, `failed`, `waiting-children`).
 * @throws RangeError for a window that is none. @throws ConnectionError also when the state's key cannot be read.
 */
export async function readPage(
  executor: Executor,
  keys: Keys,
  state: JobState,
  { offset, limit }: PageWindow,
): Promise<JobPage> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_SIZE) {
    throw new RangeError(`A page has 1 to ${MAX_PAGE_SIZE} rows, not ${limit}.`);
  }
  if (!Number.isSafeInteger(offset) || offset < 0) throw new RangeError(`No page starts at ${offset}.`);

  const isList = describeState(state).type === 'list';
  const [count, range] = await executor.read([
    [isList ? 'LLEN' : 'ZCARD', keys.state(state)],
    rangeCommand(keys.state(state), state, offset, limit),
  ]);
  const total = Number(requireValue(count));
  requireValue(range);
  const entries = decodeEntries(state, findTexts(range));
  const { rows, bytes } = await readRows(executor, keys, state, entries);
  const spent = bytes + (range && 'value' in range ? measureReply(range.value) : 0);
  const complete =
    state === 'failed' ? await addReasons(executor, keys, rows, limit * BYTES_PER_ROW - spent) : rows;
  return { state, offset, rows: complete, total };
}

function rangeCommand(key: string, state: JobState, offset: number, limit: number): ReadCommand {
  const last = offset + limit - 1;
  switch (state) {
    case 'wait':
    case 'paused':
      // The tail is served next, so the page is cut from the end and turned round.
      return ['LRANGE', key, -last - 1, -offset - 1];
    case 'active':
      return ['LRANGE', key, offset, last];
    case 'delayed':
    case 'prioritized':
      return ['ZRANGE', key, offset, last, 'WITHSCORES'];
    case 'completed':
    case 'failed':
    case 'waiting-children':
      return ['ZREVRANGE', key, offset, last, 'WITHSCORES'];
  }
}

function decodeEntries(state: JobState, items: readonly string[]): Entry[] {
  if (state === 'wait' || state === 'paused') return items.toReversed().map((id) => ({ id }));
  if (state === 'active') return items.map((id) => ({ id }));
  return items.flatMap((id, i) => {
    const score = items[i + 1];
    return i % 2 === 0 && score !== undefined ? [{ id, score }] : [];
  });
}

/** Rows of jobs whose ids are known, in one round trip, and how many bytes came back. */
async function readRows(
  executor: Executor,
  keys: Keys,
  state: JobState,
  entries: readonly Entry[],
): Promise<{ rows: JobRow[]; bytes: number }> {
  const replies = await executor.read(entries.flatMap(({ id }) => rowCommands(keys, id, state)));
  const perRow = replies.length / Math.max(entries.length, 1);
  const rows = entries.map(({ id, score }, i) =>
    decodeRow(id, state, score, replies.slice(i * perRow, (i + 1) * perRow)),
  );
  const bytes = replies.reduce((sum, reply) => sum + ('value' in reply ? measureReply(reply.value) : 0), 0);
  return { rows, bytes };
}

/** Fetches as many reasons as the budget allows, the shortest first, so that most rows have one. */
async function addReasons(
  executor: Executor,
  keys: Keys,
  rows: readonly JobRow[],
  budget: number,
): Promise<JobRow[]> {
  const chosen: string[] = [];
  let left = budget;
  for (const { id, bytes } of findReasons(rows).sort((a, b) => a.bytes - b.bytes)) {
    const cost = bytes + `${bytes}`.length + 5;
    if (bytes > MAX_REASON_BYTES || cost > left) break;
    left -= cost;
    chosen.push(id);
  }
  const field = wireName('failedReason');
  const replies: ReadReply[] = await executor.read(chosen.map((id) => ['HGET', keys.job(id), field]));
  const reasons = new Map(chosen.map((id, i) => [id, findText(replies[i])]));
  return rows.map((row) => {
    const text = reasons.get(row.id);
    return text === undefined ? row : { ...row, failedReason: { text } };
  });
}

const findReasons = (rows: readonly JobRow[]) =>
  rows.flatMap(({ id, failedReason }) =>
    failedReason && 'bytes' in failedReason ? [{ id, bytes: failedReason.bytes }] : [],
  );
