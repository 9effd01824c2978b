import type { ConnectionError } from '../base/errors';
import type { QueueAddress } from '../keys/keys';
import type { JobState } from '../keys/states';

/** A count, or why it cannot be told (no permission, a key of the wrong type). */
export type Count = number | ConnectionError;

export interface QueueSummary {
  readonly address: QueueAddress;
  readonly counts: Readonly<Record<JobState, Count>>;
  /** `meta` has the field `paused`; `undefined` when that cannot be read. */
  readonly isPaused: boolean | undefined;
}

/** A text of a job's hash, or only its size where it is too long to fetch unasked. */
export type FieldText = { readonly text: string } | { readonly bytes: number } | undefined;

/** What a row of the tree shows. Never holds `data`. Times are ms since the epoch. */
export interface JobRow {
  readonly id: string;
  readonly state: JobState;
  /** False for an id whose hash is gone. */
  readonly exists: boolean;
  /** The hash is no hash, or cannot be read: why. */
  readonly problem?: ConnectionError;
  readonly name?: string;
  readonly createdMs?: number;
  /** When a delayed job is due, from its score. */
  readonly dueMs?: number;
  readonly delayMs?: number;
  readonly priority?: number;
  readonly attemptsStarted?: number;
  readonly attemptsMade?: number;
  readonly stallCount?: number;
  readonly processedMs?: number;
  readonly finishedMs?: number;
  readonly failedReason?: FieldText;
  readonly schedulerId?: string;
  readonly hasParent: boolean;
  /** Active jobs only: ms left of the lock; `null` when there is no lock key. */
  readonly lockTtlMs?: number | null;
  /** Text of a deferred failure: the next worker will fail the job with it. */
  readonly deferredFailure?: string;
}

export interface JobPage {
  readonly state: JobState;
  /** Position of the first row in reading order (see `Queue.readPage`). */
  readonly offset: number;
  readonly rows: readonly JobRow[];
  /** Length of the state when the page was read. */
  readonly total: number;
}

/** A job as its document shows it. */
export interface JobDetails {
  readonly address: QueueAddress;
  readonly id: string;
  /** `undefined`: found in no state. */
  readonly state: JobState | undefined;
  /** Present when a list was too long to search whole: how many entries at each of its ends were looked at. */
  readonly searchLimit?: number;
  /** As a row would show it; the state is told above. */
  readonly row: Omit<JobRow, 'state'>;
  /** Verbatim JSON text of `data`, or its size. */
  readonly data: FieldText;
  readonly options: FieldText;
  readonly returnValue: FieldText;
  readonly progress: FieldText;
  /** Newest first. `{ bytes }` when too long to fetch unasked. */
  readonly stacktraces: readonly string[] | { readonly bytes: number };
  /** Newest last, at most the last 100. */
  readonly logs: readonly string[];
  readonly logCount: number;
  readonly parentKey?: string;
  readonly processedBy?: string;
  readonly deduplicationId?: string;
  /** `undefined`: no lock key. `ttlMs` is -1 when it never lapses. */
  readonly lock?: { readonly token: string; readonly ttlMs: number };
  /** Fields the protocol does not know, by name only. */
  readonly otherFields: readonly string[];
}

/** The size of a job's data, and its text unless it is longer than was asked for. */
export interface JobData {
  readonly bytes: number;
  /** Whole, verbatim. */
  readonly text?: string;
}

/** A new job. `data` is JSON text and is stored byte for byte. */
export interface NewJob {
  readonly name: string;
  readonly data: string;
  readonly delayMs?: number;
  readonly priority?: number;
  readonly attempts?: number;
  readonly jobId?: string;
}

/** An active job without a lock key, as the recovery list shows it. */
export interface RecoveryCandidate {
  readonly id: string;
  readonly row: JobRow;
  /** Recoveries so far, before this one. */
  readonly stallCount: number;
  /** Iterations of schedulers are exempt from the stall limit. */
  readonly isExempt: boolean;
}

/** What a search for stalled jobs found, and how far it looked. */
export interface RecoverySearch {
  readonly candidates: readonly RecoveryCandidate[];
  /** Active jobs looked at, from the one fetched last; fewer than `total` when there are more than the budget. */
  readonly searched: number;
  /** Active jobs there were. */
  readonly total: number;
}

/** What became of a new job. `duplicate`: a job of the given id existed, and nothing was stored. */
export interface AddedJob {
  readonly id: string;
  readonly outcome: 'added' | 'duplicate';
}

export interface RecoveryReport {
  readonly recovered: readonly string[];
  /** Those of the recovered whose stall count passed the limit: the next worker fails them. */
  readonly willFail: readonly string[];
  /** Chosen but left alone, with the reason. */
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
}

/** What discovery says as it goes. */
export interface DiscoveryProgress {
  readonly scanned: number;
  /** Keys of the database, from DBSIZE; `undefined` when that is denied. */
  readonly total: number | undefined;
  readonly found: readonly QueueAddress[];
}

export interface DiscoveryResult {
  readonly queues: readonly QueueAddress[];
  readonly scanned: number;
  /** `complete`, or why the pass ended early. */
  readonly end: 'complete' | 'cancelled' | 'limit';
}
