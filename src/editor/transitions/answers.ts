/** What is wrong with what a user typed, as a sentence, or `undefined`. */
import { MAX_DELAY_MS, MAX_PRIORITY } from '../../keys/jobId';
import { formatSpan, parseSpan } from '../platform/text';

/** Whether a text is a whole number from 0 to `max`. */
export const isWholeNumber = (text: string, max: number): boolean =>
  /^\d{1,10}$/.test(text) && Number(text) <= max;

export function findDelayProblem(text: string): string | undefined {
  const delayMs = parseSpan(text);
  if (delayMs === undefined) return 'A delay is a number with ms, s, m, h or d.';
  return delayMs > MAX_DELAY_MS ? `A delay is at most ${formatSpan(MAX_DELAY_MS)}.` : undefined;
}

export const findPriorityProblem = (text: string): string | undefined =>
  isWholeNumber(text, MAX_PRIORITY) ? undefined : `A priority is a whole number from 0 to ${MAX_PRIORITY}.`;
