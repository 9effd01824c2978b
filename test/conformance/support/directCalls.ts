/** The scripts of `lua/` called as the protocol says, for what the queue's own interface does not reach. */
import { join } from 'node:path';
import { encode } from '@msgpack/msgpack';
import type { Redis } from 'ioredis';
import type { Keys } from '../../../src/keys/keys';
import { createScriptLibrary } from '../../../src/scripts/library';
import type { ScriptId } from '../../../src/scripts/registry.generated';
import {
  type AddOptions,
  type Operations,
  type Outcome,
  type RetryOptions,
  type ScriptArgument,
  settle,
} from './operations';

export const library = createScriptLibrary(join(__dirname, '../../../lua'));

/** Runs one of our scripts. */
export async function runScript(
  redis: Redis,
  script: ScriptId,
  keys: readonly string[],
  args: readonly ScriptArgument[],
): Promise<unknown> {
  const { text, keyCount } = library.load(script);
  if (keys.length !== keyCount) throw new Error(`${script} takes ${keyCount} keys, not ${keys.length}`);
  const sent = args.map((a) => (a instanceof Uint8Array ? Buffer.from(a) : a));
  return redis.eval(text, keys.length, ...keys, ...sent);
}

/** A negative reply is thrown as the reference throws it: an error with a code. */
function requireNoCode(reply: unknown): unknown {
  if (typeof reply === 'number' && reply < 0) {
    throw Object.assign(new Error(`the script answered ${reply}`), { code: reply });
  }
  return reply;
}

const FAILURE_POLICIES = [
  ['failParentOnFailure', 'fpof'],
  ['continueParentOnFailure', 'cpof'],
  ['ignoreDependencyOnFailure', 'idof'],
  ['removeDependencyOnFailure', 'rdof'],
] as const;

/** Options with the short names that the scripts take. */
function toWireOptions(options: AddOptions): Record<string, unknown> {
  const short = new Map<string, string>([['deduplication', 'de'], ...FAILURE_POLICIES]);
  const entries = Object.entries({ attempts: 0, ...options })
    // These travel beside the options and are fields of their own.
    .filter(([option]) => option !== 'repeatJobKey' && option !== 'timestamp')
    .map(([option, value]) => [short.get(option) ?? option, value]);
  return Object.fromEntries(entries);
}

export class DirectCalls implements Omit<Operations, 'forceRecovery' | 'close'> {
  constructor(
    private readonly redis: Redis,
    private readonly keys: Keys,
  ) {}

  add(name: string, data: unknown, options: AddOptions): Promise<Outcome> {
    const k = this.keys;
    const wire = toWireOptions(options);
    const [script, keys]: [ScriptId, string[]] =
      (options.delay ?? 0) > 0
        ? ['addDelayedJob-6', [k.marker(), k.meta(), k.id(), k.delayed(), k.completed(), k.events()]]
        : options.priority
          ? [
              'addPrioritizedJob-9',
              [
                k.marker(),
                k.meta(),
                k.id(),
                k.prioritized(),
                k.delayed(),
                k.completed(),
                k.active(),
                k.events(),
                k.priorityCounter(),
              ],
            ]
          : [
              'addStandardJob-9',
              [
                k.wait(),
                k.paused(),
                k.meta(),
                k.id(),
                k.completed(),
                k.delayed(),
                k.active(),
                k.events(),
                k.marker(),
              ],
            ];
    const packed = encode(this.packArguments(name, options));
    return settle(async () =>
      requireNoCode(
        await runScript(this.redis, script, keys, [
          packed,
          JSON.stringify(data),
          encode(wire, { ignoreUndefined: true }),
        ]),
      ),
    );
  }

  private packArguments(name: string, options: AddOptions): unknown[] {
    const { parent, deduplication, jobId = '', timestamp, repeatJobKey = null } = options;
    const policies = FAILURE_POLICIES.filter(([long]) => options[long]).map(([, short]) => [short, true]);
    const parentKey = parent ? `${parent.queue}:${parent.id}` : null;
    return [
      this.keys.base,
      jobId,
      name,
      timestamp,
      parentKey,
      parentKey && `${parentKey}:dependencies`,
      parent ? { id: parent.id, queueKey: parent.queue, ...Object.fromEntries(policies) } : null,
      repeatJobKey,
      deduplication ? this.keys.deduplication(deduplication.id) : null,
    ];
  }

  retry(id: string, state: 'failed' | 'completed', options: RetryOptions = {}): Promise<Outcome> {
    const k = this.keys;
    return settle(async () => {
      const lifo = await this.readIsLifo(id);
      const reply = await runScript(
        this.redis,
        'reprocessJob-8',
        [k.job(id), k.events(), k.state(state), k.wait(), k.meta(), k.paused(), k.active(), k.marker()],
        [
          id,
          lifo ? 'RPUSH' : 'LPUSH',
          state === 'failed' ? 'failedReason' : 'returnvalue',
          state,
          options.resetAttemptsMade ? '1' : '0',
          options.resetAttemptsStarted ? '1' : '0',
        ],
      );
      requireNoCode(reply);
    });
  }

  private async readIsLifo(id: string): Promise<boolean> {
    try {
      const text = await this.redis.hget(this.keys.job(id), 'opts');
      return text !== null && (JSON.parse(text) as { lifo?: boolean }).lifo === true;
    } catch {
      return false;
    }
  }

  promote(id: string): Promise<Outcome> {
    const k = this.keys;
    return settle(async () => {
      const reply = await runScript(
        this.redis,
        'promote-9',
        [
          k.delayed(),
          k.wait(),
          k.paused(),
          k.meta(),
          k.prioritized(),
          k.active(),
          k.priorityCounter(),
          k.events(),
          k.marker(),
        ],
        [k.base, id],
      );
      requireNoCode(reply);
    });
  }

  recoverStalled(maxStalls: number, throttleMs: number): Promise<Outcome> {
    const k = this.keys;
    return settle(() =>
      runScript(
        this.redis,
        'moveStalledJobsToWait-8',
        [k.stalled(), k.wait(), k.active(), k.stalledCheck(), k.meta(), k.paused(), k.marker(), k.events()],
        [maxStalls, k.base, Date.now(), throttleMs],
      ),
    );
  }

  call(script: ScriptId, keys: readonly string[], args: readonly ScriptArgument[]): Promise<Outcome> {
    return settle(() => runScript(this.redis, script, keys, args));
  }
}
