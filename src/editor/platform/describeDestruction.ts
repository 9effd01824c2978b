import type { Destruction } from './destructive';
import { formatSpan, oneLine, plural } from './text';

const SHOWN_IDS = 10;

/** What is asked before something is destroyed: one question, and the facts below it. */
export function describeDestruction(
  { connection, queue, action, count, oldest, newest, ids = [] }: Destruction,
  nowMs: number,
): { question: string; detail: string[] } {
  const time = (ms: number) => `${formatTime(ms)}, ${formatSpan(nowMs - ms)} ago`;
  const first = ids.slice(0, SHOWN_IDS).map((id) => oneLine(id, 40));
  const rest = count > first.length ? ` and ${count - first.length} more` : '';
  return {
    question: `${action} ${plural(count, 'job')} of ${oneLine(queue.queue)} on "${oneLine(connection.name)}"?`,
    detail: [
      ...(connection.isProduction ? ['PRODUCTION, as its label says'] : []),
      `Queue: ${oneLine(queue.queue, 200)} under ${oneLine(queue.prefix, 100)}`,
      `Jobs: ${count}`,
      ...(oldest === undefined ? [] : [`Oldest: ${time(oldest)}`]),
      ...(newest === undefined ? [] : [`Newest: ${time(newest)}`]),
      ...(first.length > 0 ? [`Ids: ${first.join(', ')}${rest}`] : []),
    ],
  };
}

/** Whether a text is the name of a queue, as it is or as it is shown where it holds what cannot be typed. */
export const isNameTyped = (text: string, queue: string): boolean =>
  text === queue || text === oneLine(queue, 400);

const formatTime = (ms: number) =>
  Number.isFinite(ms) && Math.abs(ms) < 8.64e15
    ? new Date(ms).toISOString().replace(/\.\d+Z$/, ' UTC')
    : 'unknown';
