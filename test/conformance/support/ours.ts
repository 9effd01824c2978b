/** Our side: the interface that features use, and the scripts themselves for what it does not offer. */
import type { Redis } from 'ioredis';
import { createExecutor } from '../../../src/executor/executor';
import type { Executor } from '../../../src/executor/types';
import type { Keys } from '../../../src/keys/keys';
import { Queue } from '../../../src/queue/queue';
import type { ScriptId } from '../../../src/scripts/registry.generated';
import { DirectCalls, library } from './directCalls';
import {
  type AddOptions,
  type Operations,
  type Outcome,
  type RetryOptions,
  type ScriptArgument,
  settle,
} from './operations';

/** The options of a new job that `Queue.addJob` offers. */
const OFFERED: readonly string[] = ['timestamp', 'delay', 'priority', 'attempts', 'jobId'];

export class OurOperations implements Operations {
  readonly #executor: Executor;
  readonly #queue: Queue;
  readonly #direct: DirectCalls;
  #nowMs = 0;

  constructor(redis: Redis, keys: Keys, connection: { readonly host: string; readonly port: number }) {
    this.#executor = createExecutor(connection, library);
    this.#queue = new Queue(this.#executor, keys, { clock: () => this.#nowMs });
    this.#direct = new DirectCalls(redis, keys);
  }

  add(name: string, data: unknown, options: AddOptions): Promise<Outcome> {
    if (Object.keys(options).some((option) => !OFFERED.includes(option))) {
      return this.#direct.add(name, data, options);
    }
    const { timestamp, delay, ...rest } = options;
    this.#nowMs = timestamp;
    const job = { name, data: JSON.stringify(data), ...(delay !== undefined && { delayMs: delay }), ...rest };
    return settle(async () => (await this.#queue.addJob(job)).id);
  }

  retry(id: string, state: 'failed' | 'completed', options: RetryOptions = {}): Promise<Outcome> {
    const { resetAttemptsMade = false, resetAttemptsStarted = false } = options;
    if (resetAttemptsMade !== resetAttemptsStarted) return this.#direct.retry(id, state, options);
    return settle(() => this.#queue.retryJob(id, state, { resetAttempts: resetAttemptsMade }));
  }

  promote(id: string): Promise<Outcome> {
    return settle(() => this.#queue.promoteJob(id));
  }

  /** A pass over the workers' own marks is no move of ours; the queue offers forced recovery instead. */
  recoverStalled(maxStalls: number, throttleMs: number): Promise<Outcome> {
    return this.#direct.recoverStalled(maxStalls, throttleMs);
  }

  async forceRecovery(ids: readonly string[], maxStalls: number): Promise<Outcome> {
    this.#nowMs = Date.now();
    return settle(async () => (await this.#queue.recoverStalled(ids, maxStalls)).recovered);
  }

  call(script: ScriptId, keys: readonly string[], args: readonly ScriptArgument[]): Promise<Outcome> {
    return this.#direct.call(script, keys, args);
  }

  close(): Promise<void> {
    return this.#executor.close();
  }
}
