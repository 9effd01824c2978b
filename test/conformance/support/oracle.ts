/** The reference's side: `bullmq` run through its own API. */
import { Job, type Queue, type Scripts, Worker } from 'bullmq';
import type { ScriptId } from '../../../src/scripts/registry.generated';
import {
  type AddOptions,
  type Operations,
  type Outcome,
  type RetryOptions,
  type ScriptArgument,
  settle,
} from './operations';

export interface OracleConnection {
  readonly host: string;
  readonly port: number;
}

/** The part of a worker that runs one pass for stalled jobs; the library's types keep it to itself. */
interface StalledCheck {
  readonly scripts: { moveStalledJobsToWait(): Promise<string[]> };
}

/** The reference reads the clock itself; it is held still while a job is added. */
async function holdingClock<T>(nowMs: number, run: () => Promise<T>): Promise<T> {
  const { now } = Date;
  Date.now = () => nowMs;
  try {
    return await run();
  } finally {
    Date.now = now;
  }
}

export class OracleOperations implements Operations {
  constructor(
    private readonly queue: Queue,
    private readonly connection: OracleConnection,
    private readonly prefix: string,
  ) {}

  add(name: string, data: unknown, { timestamp, ...options }: AddOptions): Promise<Outcome> {
    return settle(() =>
      holdingClock(timestamp, async () => {
        if (options.parent && options.deduplication) return this.addInFlow(name, data, options);
        return (await this.queue.add(name, data, options)).id;
      }),
    );
  }

  /** `Queue.add` refuses a parent together with deduplication; flows bring both to the script all the same. */
  private async addInFlow(
    name: string,
    data: unknown,
    options: Omit<AddOptions, 'timestamp'>,
  ): Promise<string> {
    const { scripts } = this.queue as unknown as { scripts: Scripts };
    const job = new Job(this.queue, name, data, options);
    const { parent } = options as Pick<AddOptions, 'parent'>;
    const parentKey = `${parent?.queue}:${parent?.id}`;
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

  /** The reference knows no such move. It is given the marks, and what it did to the workers' keys is taken back. */
  async forceRecovery(ids: readonly string[], maxStalls: number): Promise<Outcome> {
    const client = await this.queue.client;
    const [stalled, throttle] = [this.queue.toKey('stalled'), this.queue.toKey('stalled-check')];
    const marked = await client.smembers(stalled);
    await client.del(stalled);
    await client.sadd(stalled, ...ids);
    const outcome = await this.recoverStalled(maxStalls, 60000);
    await client.del(stalled, throttle);
    if (marked.length > 0) await client.sadd(stalled, ...marked);
    return outcome;
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

  call(script: ScriptId, keys: readonly string[], args: readonly ScriptArgument[]): Promise<Outcome> {
    const { scripts } = this.queue as unknown as { scripts: Scripts };
    const sent = args.map((a) => (a instanceof Uint8Array ? Buffer.from(a) : a));
    return settle(async () =>
      scripts.execCommand(await this.queue.client, script.replace(/-\d+$/, ''), [...keys, ...sent]),
    );
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
