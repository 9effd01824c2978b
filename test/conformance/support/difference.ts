/** A row of the table of differences, and how its checks look at what a scenario left. */
import assert from 'node:assert/strict';
import type { Result, Side } from './scenario';

/** Where our scripts differ from the reference on purpose. */
export interface Difference {
  readonly what: string;
  readonly why: string;
  readonly scenario: (side: Side) => Promise<void>;
  /** What the reference does. Should it do better one day, the row can go. */
  readonly theirs: (result: Result) => void;
  readonly ours: (result: Result) => void;
}

export const last = (result: Result) => result.outcomes[result.outcomes.length - 1];
export const heldBy = (result: Result, suffix: string) => result.keyspace[`emq:Q:${suffix}`]?.value;
export const fieldOf = (result: Result, jobId: string, field: string) =>
  (heldBy(result, jobId) as Record<string, unknown> | undefined)?.[field];
export const lastEvent = (result: Result) => (heldBy(result, 'events') as string[][] | undefined)?.at(-1);
export const diesWith = (error: string) => (result: Result) => assert.deepEqual(last(result), { error });
