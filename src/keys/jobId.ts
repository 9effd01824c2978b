/**
 * The rules for a custom job id. Only the client checks them; the scripts take any text, so an id that breaks a rule
 * would collide with the counter's ids, with a legacy marker or with another key.
 */

import { QUEUE_SUFFIXES } from './keys';

const RESERVED: ReadonlySet<string> = new Set(QUEUE_SUFFIXES);
const CANONICAL_INTEGER = /^(0|-?[1-9]\d*)$/;

/** The sentence that says why a text cannot be a custom job id, or `undefined` when it can. */
export function findJobIdProblem(jobId: string): string | undefined {
  if (jobId === '') return 'A job id must not be empty. Leave it out to take the next number.';
  if (jobId === '0' || jobId.startsWith('0:')) {
    return `The job id "${jobId}" is a legacy marker of the protocol. Choose another id.`;
  }
  if (CANONICAL_INTEGER.test(jobId)) {
    return `The job id "${jobId}" is a whole number, which the queue's own counter hands out. Add a letter to it.`;
  }
  // The reference takes these, and the job's hash becomes the key of a state: no worker can use the queue any more.
  if (RESERVED.has(jobId) || /^(de|dn|metrics):/.test(jobId)) {
    return `The job id "${jobId}" is the name of a key of the queue itself. Choose another id.`;
  }
  const colons = jobId.split(':').length - 1;
  if (colons !== 0 && colons !== 2) {
    return `The job id "${jobId}" holds a colon, which separates the parts of a Redis key. Use another character.`;
  }
  return undefined;
}

/** The longest delay in ms, so that the score of a delayed job keeps its digits: more than 34 years. */
export const MAX_DELAY_MS = Math.floor(Number.MAX_SAFE_INTEGER / 8192);

/** The highest legal priority; 0 means no priority. */
export const MAX_PRIORITY = 2097152;
