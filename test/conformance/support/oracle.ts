/** The reference's side: `bullmq` run through its own API. */
import { Job, type Queue, type Scripts, Worker } from 'bullmq';
import { type AddOptions, type Operations, type Outcome, type RetryOptions, settle } from './operations';

export interface OracleConnection {
  readonly host: string;
  readonly port: number;
}

/** The part of a worker that runs one pass for stalled jobs; the library's types keep it to itself. */
interface StalledCheck {
  readonly scripts: { moveStalledJobsToWait(): Promise<string[]> };
}

export class OracleOperations implements Operations {
  constructor(
    private readonly queue: Queue,
    private readonly connection: OracleConnection,
    private readonly prefix: string,
  ) {}

  add(name: string, data: unknown, options: AddOptions): Promise<Outcome> {
    if (options.parent && options.deduplication) return settle(() => this.addInFlow(name, data, options));
    return settle(async () => (await this.queue.add(name, data, options)).id);
  }

  /** `Queue.add` refuses a parent together with deduplication; flows bring both to the script all the same. */
  private async addInFlow(name: string, data: unknown, options: AddOptions): Promise<string> {
    const { scripts } = this.queue as unknown as { scripts: Scripts };
    const { repeatJobKey, ...stored } = options;
    const job = new Job(this.queue, name, data, { ...stored, ...(repeatJobKey && { repeatJobKey }) });
    const parentKey = `${options.parent?.queue}:${options.parent?.id}`;
    const json = job.asJSON();
    return scripts.addJob(await this.queue.client, json, json.opts, '', {
      parentKey,
      parentDependenciesKey: `${parentKey}:dependencies`,
    });
  }

  retry(id: string, state: 'failed' | 'completed', options: RetryOptions = {}): Promise<Outcome> {
    return settle(async () => {
      // Built from its id, not read: a retry must meet the job as it is by then.
      const job = (await this.readJob(id)) ?? new Job(this.queue, 'gone', {}, {}, id);
      await job.retry(state, options);
    });
  }

  promote(id: string): Promise<Outcome> {
    return settle(async () => {
      const job = (await this.readJob(id)) ?? new Job(this.queue, 'gone', {}, {}, id);
      await job.promote();
    });
  }

  async recoverStalled(maxStalls: number, throttleMs: number): Promise<Outcome> {
    const worker = new Worker(this.queue.name, null, {
      connection: this.connection,
      prefix: this.prefix,
      autorun: false,
      skipStalledCheck: true,
      maxStalledCount: maxStalls,
      stalledInterval: throttleMs,
    });
    await worker.waitUntilReady();
    const outcome = await settle(() => (worker as unknown as StalledCheck).scripts.moveStalledJobsToWait());
    await worker.close(true);
    return outcome;
  }

  async close(): Promise<void> {
    // The queue belongs to the scenario.
  }

  /** A job whose hash is no hash cannot be read; the script is to meet it all the same. */
  private async readJob(id: string): Promise<Job | undefined> {
    try {
      return await Job.fromId(this.queue, id);
    } catch {
      return undefined;
    }
  }
}
