/** One queue, as features speak to it: reading is plain commands, and every move is a script of the protocol. */
import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../base/clock';
import type { Executor } from '../executor/types';
import { wireName } from '../keys/jobFields';
import { Keys, type QueueAddress } from '../keys/keys';
import type { JobState } from '../keys/states';
import { addCall, requireValidJob } from './addJob';
import { type BackupBatch, type JobBackup, readBackup } from './backup';
import type { BulkOptions, BulkReport } from './bulk';
import { promoteJobs, retryJobs } from './bulkMoves';
import { cleanJobs, drainQueue, type RemovalOptions, removeJobs } from './bulkRemoval';
import { changeDelay, changePriority, removeJob, resetStallCount, updateData } from './changes';
import { type Choice, chooseJobs } from './choose';
import { readQueueSummaries } from './counts';
import { type ReadJobOptions, readData, readJob } from './job';
import { promoteCall, readLifo, retryCall } from './moves';
import { type ObliterateOptions, obliterateQueue } from './obliterate';
import { type PageWindow, readPage } from './page';
import { pauseQueue, resumeQueue } from './pause';
import { findRecoveryCandidates, RECOVERY_SEARCH_LIMIT, recoverStalled } from './recovery';
import { findNumber, findText } from './replies';
import { type RestoreReport, restoreJobs } from './restore';
import { runOrRefuse } from './runOrRefuse';
import { requireLegal } from './stateMachine';
import type {
  AddedJob,
  JobData,
  JobDetails,
  JobPage,
  NewJob,
  QueueSummary,
  RecoveryReport,
  RecoverySearch,
} from './types';

/** What a queue takes from its surroundings. */
export interface QueueSurroundings {
  readonly clock?: Clock;
  /** A text that no other call gives. */
  readonly createId?: () => string;
}

/**
 * Nothing is sent by making one. Every method rejects with `ConnectionError` when the server cannot be asked, and the
 * moves besides with `ScriptFailure` when a script breaks.
 */
export class Queue {
  readonly address: QueueAddress;
  readonly #executor: Executor;
  readonly #keys: Keys;
  readonly #clock: Clock;
  readonly #createId: () => string;

  /** @throws RangeError when the address is none. */
  constructor(executor: Executor, address: QueueAddress, surroundings: QueueSurroundings = {}) {
    this.address = address;
    this.#executor = executor;
    this.#keys = new Keys(address.prefix, address.queue);
    this.#clock = surroundings.clock ?? systemClock;
    this.#createId = surroundings.createId ?? randomUUID;
  }

  /** The counts of all states, and whether the queue is paused. For several queues use `readQueueSummaries`. */
  async readSummary(): Promise<QueueSummary> {
    const [summary] = await readQueueSummaries(this.#executor, [this.address]);
    if (!summary) throw new Error('A queue has a summary.');
    return summary;
  }

  /** See {@link readPage}. */
  readPage(state: JobState, window: PageWindow): Promise<JobPage> {
    return readPage(this.#executor, this.#keys, state, window);
  }

  /** See {@link readJob}. */
  readJob(id: string, hint?: JobState, options?: ReadJobOptions): Promise<JobDetails | undefined> {
    return readJob(this.#executor, this.#keys, id, hint, options);
  }

  /** See {@link readData}. */
  readData(id: string, maxBytes?: number): Promise<JobData | undefined> {
    return readData(this.#executor, this.#keys, id, maxBytes);
  }

  /** The active jobs without a lock key. See {@link findRecoveryCandidates}. */
  findRecoveryCandidates(limit = RECOVERY_SEARCH_LIMIT): Promise<RecoverySearch> {
    return findRecoveryCandidates(this.#executor, this.#keys, limit);
  }

  /**
   * Adds a job. Its data is stored byte for byte.
   * @throws InputError before anything is sent. @throws ScriptRefusal when the script says no.
   */
  async addJob(job: NewJob): Promise<AddedJob> {
    requireValidJob(job);
    const timestampMs = this.#clock();
    const existed = job.jobId !== undefined && (await this.#exists(job.jobId));
    const call = addCall(this.#keys, job, timestampMs);
    const reply = await runOrRefuse(this.#executor, call, job.jobId);
    const id = String(reply);
    if (job.jobId === undefined) return { id, outcome: 'added' };
    const isDuplicate = existed || (await this.#wasAddedByAnother(job.jobId, timestampMs));
    return { id, outcome: isDuplicate ? 'duplicate' : 'added' };
  }

  /**
   * Runs a finished job again. The result of its last run is dropped.
   * @throws InputError when no job is retried from that state. @throws ScriptRefusal when the job is not there.
   */
  async retryJob(
    id: string,
    from: JobState,
    options: { readonly resetAttempts?: boolean } = {},
  ): Promise<void> {
    requireLegal('retry', from);
    const lifo = await readLifo(this.#executor, this.#keys, [id]);
    const call = retryCall(this.#keys, id, from, lifo.has(id), options.resetAttempts ?? false);
    await runOrRefuse(this.#executor, call, id, from);
  }

  /** Makes a delayed job ready to run now. @throws ScriptRefusal when it is not delayed any more. */
  async promoteJob(id: string): Promise<void> {
    await runOrRefuse(this.#executor, promoteCall(this.#keys, id), id, 'delayed');
  }

  /**
   * Recovers those of the given jobs that are active and have no lock; the others are reported as skipped. A job
   * without a lock may still be running, when its lock lapsed or was taken with the token 0.
   * @param maxStalledCount the workers' own limit, which Redis does not know; their default is 1.
   * @throws InputError when the limit is no whole number from 0.
   */
  recoverStalled(ids: readonly string[], maxStalledCount: number): Promise<RecoveryReport> {
    const recoveryId = this.#createId();
    return recoverStalled(this.#executor, this.#keys, ids, maxStalledCount, this.#clock(), recoveryId);
  }

  /** See {@link pauseQueue}. */
  pause(): Promise<void> {
    return pauseQueue(this.#executor, this.#keys);
  }

  /** See {@link resumeQueue}. */
  resume(): Promise<void> {
    return resumeQueue(this.#executor, this.#keys);
  }

  /** See {@link removeJob}. */
  removeJob(id: string, options: { readonly includeChildren?: boolean } = {}): Promise<void> {
    return removeJob(this.#executor, this.#keys, id, options.includeChildren ?? false);
  }

  /** Makes a delayed job run so many ms from now. See {@link changeDelay}. */
  changeDelay(id: string, delayMs: number): Promise<void> {
    return changeDelay(this.#executor, this.#keys, id, delayMs, this.#clock());
  }

  /** See {@link changePriority}. */
  changePriority(
    id: string,
    from: JobState,
    priority: number,
    options: { readonly isFirst?: boolean } = {},
  ): Promise<void> {
    return changePriority(this.#executor, this.#keys, id, from, priority, options.isFirst ?? false);
  }

  /** Replaces the data of a job, if it is still `before`. See {@link updateData}. */
  updateData(id: string, before: string, after: string): Promise<void> {
    return updateData(this.#executor, this.#keys, id, before, after);
  }

  /** Forgets how often a job has stalled, if it is still so often. See {@link resetStallCount}. */
  resetStallCount(id: string, stallCount: number | undefined): Promise<void> {
    return resetStallCount(this.#executor, this.#keys, id, stallCount);
  }

  /** The ids of jobs for what follows. See {@link chooseJobs}. */
  chooseJobs(choice: Choice, options?: BulkOptions): Promise<string[]> {
    return chooseJobs(this.#executor, this.#keys, choice, options);
  }

  /** See {@link retryJobs}. */
  retryJobs(
    ids: readonly string[],
    from: JobState,
    options?: BulkOptions & { readonly resetAttempts?: boolean },
  ): Promise<BulkReport> {
    return retryJobs(this.#executor, this.#keys, ids, from, options);
  }

  /** See {@link promoteJobs}. */
  promoteJobs(ids: readonly string[], options?: BulkOptions): Promise<BulkReport> {
    return promoteJobs(this.#executor, this.#keys, ids, options);
  }

  /** See {@link removeJobs}. @param state where they are, if that is known. */
  removeJobs(ids: readonly string[], options?: RemovalOptions, state?: JobState): Promise<BulkReport> {
    return removeJobs(this.#executor, this.#keys, ids, options, state);
  }

  /** See {@link cleanJobs}. */
  clean(choice: Choice, options?: RemovalOptions): Promise<BulkReport> {
    return cleanJobs(this.#executor, this.#keys, choice, options);
  }

  /** See {@link drainQueue}. */
  drain(options: RemovalOptions & { readonly includeDelayed?: boolean } = {}): Promise<BulkReport> {
    return drainQueue(this.#executor, this.#keys, options.includeDelayed ?? false, options);
  }

  /** See {@link obliterateQueue}. */
  obliterate(options?: ObliterateOptions): Promise<BulkReport> {
    return obliterateQueue(this.#executor, this.#keys, options);
  }

  /** See {@link readBackup}. */
  readBackup(ids: readonly string[]): Promise<JobBackup[]> {
    return readBackup(this.#executor, this.#keys, ids);
  }

  /** See {@link restoreJobs}. */
  restoreJobs(batches: readonly BackupBatch[], options?: BulkOptions): Promise<RestoreReport> {
    return restoreJobs(this.#executor, this.#keys, batches, options);
  }

  async #exists(id: string): Promise<boolean> {
    const [exists] = await this.#executor.read([['EXISTS', this.#keys.job(id)]]);
    return findNumber(exists) === 1;
  }

  /**
   * The script answers the id also for a duplicate. A job that somebody else added a moment ago has another creation
   * time, as a rule. The job is added by now, so a failure to look is none.
   */
  async #wasAddedByAnother(id: string, timestampMs: number): Promise<boolean> {
    try {
      const [stored] = await this.#executor.read([['HGET', this.#keys.job(id), wireName('timestamp')]]);
      const text = findText(stored);
      return text !== undefined && text !== `${timestampMs}`;
    } catch {
      return false;
    }
  }
}
