/**
 * What the scores of the sorted sets say. Scores arrive as the text Redis sent, and stay text until they are
 * decoded: a delayed score is near 2^53 and a priority score can pass it.
 */

const SLOT = 4096n;
const PRIORITY_UNIT = 4294967296n;
const WHOLE = /^-?\d+$/;

function toInteger(score: string): bigint | undefined {
  if (WHOLE.test(score)) return BigInt(score);
  const value = Number(score);
  return Number.isFinite(value) ? BigInt(Math.floor(value)) : undefined;
}

const floorDivide = (a: bigint, b: bigint) => (a >= 0n ? a / b : -((-a + b - 1n) / b));

/** The due time in ms since the epoch of an entry of `delayed`; `undefined` when the score is no finite number. */
export function decodeDelayedScore(score: string): { dueMs: number; sequence: number } | undefined {
  const value = toInteger(score);
  if (value === undefined) return undefined;
  const due = floorDivide(value, SLOT);
  return { dueMs: Number(due), sequence: Number(value - due * SLOT) };
}

/** The priority and the counter of an entry of `prioritized`; `undefined` when the score is no finite number. */
export function decodePriorityScore(score: string): { priority: number; counter: number } | undefined {
  const value = toInteger(score);
  if (value === undefined) return undefined;
  const priority = floorDivide(value, PRIORITY_UNIT);
  return { priority: Number(priority), counter: Number(value - priority * PRIORITY_UNIT) };
}

/** A time in ms since the epoch, as the finished sets and `waiting-children` score it. */
export function decodeTimeScore(score: string): number | undefined {
  const value = Number(score);
  return Number.isFinite(value) ? Math.floor(value) : undefined;
}
