/**
 * One script a job, for as many jobs as one likes: so many calls a round trip, with progress, and with a report that names every job once. What cannot be done for one job keeps nobody from doing it for the next; a lost
 * connection ends it, since nobody knows then what more would come of it.
 */
import type { Cancellation } from '../base/cancellation';
import { ConnectionError } from '../base/errors';
import type { Executor, Reply, RunOutcome, ScriptCall } from '../executor/types';
import type { JobState } from '../keys/states';
import { findRefusal } from './runOrRefuse';

export interface BulkProgress {
  /** `choosing`: ids are being read. `moving`: the scripts run. */
  readonly phase: 'choosing' | 'moving';
  readonly done: number;
  /** How many there are; while choosing, how many are looked at. */
  readonly total: number;
}

export interface BulkOptions {
  readonly cancellation?: Cancellation;
  readonly onProgress?: (progress: BulkProgress) => void;
}

export interface Unmoved {
  readonly id: string;
  /** A sentence, or two. */
  readonly reason: string;
  /** The code with which a script said no. */
  readonly code?: number;
}

export interface BulkReport {
  readonly done: readonly string[];
  /** Left as they were: a script said no, their backup was not kept, or it was not their turn any more. */
  readonly skipped: readonly Unmoved[];
  /** A script broke on these, or the connection was lost and nobody knows whether it ran. */
  readonly failed: readonly Unmoved[];
  readonly end: 'complete' | 'cancelled' | 'stopped';
}

/** The call that does it for one job. */
export interface BulkCall {
  readonly id: string;
  readonly call: ScriptCall;
}

/** How many calls go in one round trip. */
const CALLS_AT_A_TIME = 100;

const CANCELLED = 'It was not its turn before this was cancelled.';
const STOPPED = 'It was not its turn before this was stopped.';

/** A report as it grows. */
export class BulkLedger {
  readonly #done: string[] = [];
  readonly #skipped: Unmoved[] = [];
  readonly #failed: Unmoved[] = [];
  readonly #options: BulkOptions;
  readonly #total: number;
  #isStopped = false;
  #isCut = false;

  constructor(total: number, options: BulkOptions) {
    this.#total = total;
    this.#options = options;
  }

  /** Whether no further job may be touched. */
  get isOver(): boolean {
    return this.#isStopped || this.#options.cancellation?.isCancellationRequested === true;
  }

  get #isUntouched(): boolean {
    return this.#done.length + this.#skipped.length + this.#failed.length === 0;
  }

  /** Notes jobs as failed. What the next would meet as well ends it. */
  fail(ids: readonly string[], error: unknown): void {
    for (const id of ids) this.#failed.push({ id, reason: describe(error) });
    if (ConnectionError.is(error) && error.code !== 'wrongType') this.#isStopped = true;
    this.tell();
  }

  /** Ends it before some jobs, which stay as they are. */
  stopBefore(ids: readonly string[], what: string, error: unknown): void {
    for (const id of ids) this.#skipped.push({ id, reason: `${what}: ${describe(error)}` });
    this.#isStopped = true;
    this.tell();
  }

  /**
   * Runs calls of one script and notes what became of each.
   * @throws ConnectionError, or what a gate before the executor throws, when nothing was touched yet.
   */
  async runEach(
    executor: Executor,
    calls: readonly BulkCall[],
    expectedState?: JobState,
    onReply: (id: string, reply: Reply) => void = () => {},
  ): Promise<void> {
    for (const group of split(calls, CALLS_AT_A_TIME)) {
      if (this.isOver) this.skipRest(group.map(({ id }) => id));
      else await this.#runGroup(executor, group, expectedState, onReply);
    }
  }

  async #runGroup(
    executor: Executor,
    calls: readonly BulkCall[],
    expectedState: JobState | undefined,
    onReply: (id: string, reply: Reply) => void,
  ): Promise<void> {
    let outcomes: readonly RunOutcome[];
    try {
      outcomes = await executor.runEach(calls.map(({ call }) => call));
    } catch (error) {
      const ids = calls.map(({ id }) => id);
      if (ConnectionError.is(error) && error.code === 'outcomeUnknown') this.fail(ids, error);
      else if (this.#isUntouched) throw error;
      else this.stopBefore(ids, 'It was not its turn', error);
      return;
    }
    for (const [i, { id, call }] of calls.entries()) {
      const outcome = outcomes[i];
      if (!outcome) throw new Error('Each call has an outcome.');
      if ('error' in outcome) {
        this.fail([id], outcome.error);
        continue;
      }
      const refusal = findRefusal(outcome.value, call, id, expectedState);
      if (refusal) {
        this.#skipped.push({ id, reason: refusal.message, code: refusal.code });
      } else {
        this.#done.push(id);
        onReply(id, outcome.value);
      }
    }
    this.tell();
  }

  skipRest(ids: readonly string[]): void {
    const reason = this.#isStopped ? STOPPED : CANCELLED;
    this.#isCut ||= ids.length > 0;
    for (const id of ids) this.#skipped.push({ id, reason });
    this.tell();
  }

  tell(): void {
    const done = this.#done.length + this.#skipped.length + this.#failed.length;
    this.#options.onProgress?.({ phase: 'moving', done, total: this.#total });
  }

  /** Notes as done what was skipped so far: it is gone in another way. */
  finishSkipped(): void {
    for (const { id } of this.#skipped.splice(0)) this.#done.push(id);
  }

  report(): BulkReport {
    return {
      done: this.#done,
      skipped: this.#skipped,
      failed: this.#failed,
      end: this.#isStopped ? 'stopped' : this.#isCut ? 'cancelled' : 'complete',
    };
  }
}

const describe = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Cuts a list into pieces of at most `size`. */
export function split<T>(items: readonly T[], size: number): T[][] {
  const pieces: T[][] = [];
  for (let from = 0; from < items.length; from += size) pieces.push(items.slice(from, from + size));
  return pieces;
}
