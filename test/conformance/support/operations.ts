/** The operations of the differential test, in the words of the reference's API. */
import type { ScriptId } from '../../../src/scripts/registry.generated';

/** Options of a new job. */
export interface AddOptions {
  /** What the clock says when the job is added; no option of the job. */
  readonly timestamp: number;
  readonly delay?: number;
  readonly priority?: number;
  readonly attempts?: number;
  readonly jobId?: string;
  readonly lifo?: boolean;
  readonly repeatJobKey?: string;
  readonly parent?: { readonly id: string; readonly queue: string };
  readonly failParentOnFailure?: boolean;
  readonly continueParentOnFailure?: boolean;
  readonly ignoreDependencyOnFailure?: boolean;
  readonly removeDependencyOnFailure?: boolean;
  readonly deduplication?: {
    readonly id: string;
    readonly ttl?: number;
    readonly extend?: boolean;
    readonly replace?: boolean;
    readonly keepLastIfActive?: boolean;
  };
  readonly [custom: string]: unknown;
}

export interface RetryOptions {
  readonly resetAttemptsMade?: boolean;
  readonly resetAttemptsStarted?: boolean;
}

/** What an operation came to: a value, a code of the closed set, or the first word of Redis' error. */
export type Outcome = { readonly value: unknown } | { readonly code: number } | { readonly error: string };

/** A value that a script takes as KEYS or ARGV; bytes are MessagePack. */
export type ScriptArgument = string | number | Uint8Array;

/** What both sides can do. */
export interface Operations {
  add(name: string, data: unknown, options: AddOptions): Promise<Outcome>;
  retry(id: string, state: 'failed' | 'completed', options?: RetryOptions): Promise<Outcome>;
  promote(id: string): Promise<Outcome>;
  /** One pass for stalled jobs. */
  recoverStalled(maxStalls: number, throttleMs: number): Promise<Outcome>;
  /** Recovers these jobs, marked or not, if they are active without a lock. */
  forceRecovery(ids: readonly string[], maxStalls: number): Promise<Outcome>;
  /** Calls a script of the protocol, with these KEYS and ARGV on either side. A code is a reply here, not a throw. */
  call(script: ScriptId, keys: readonly string[], args: readonly ScriptArgument[]): Promise<Outcome>;
  close(): Promise<void>;
}

/** A moment long past: no clock reading of the test can be taken for it. */
export const PAST = 1600000000000;
/**
 * A moment long ahead, so that no delayed job falls due while the test runs, and yet with scores below 2^53, where
 * every place of a millisecond has a number of its own.
 */
export const FUTURE = 2190000000000;

/** Runs an operation and says what it came to. */
export async function settle(run: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await run() };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (typeof code === 'number') return { code };
    const text = textsOf(error);
    return { error: /\b(WRONGTYPE|NOPERM|ERR)\b/.exec(text)?.[1] ?? text };
  }
}

/** What Redis said stands in the message, or in that of the cause. */
function textsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} ${textsOf(error.cause)}`;
}
