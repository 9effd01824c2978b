/**
 * Every Redis key of the protocol, built by one function each, and the inverse that reads a key back.
 *
 * A key is `{prefix}:{queue}:{suffix}`. The prefix may hold colons, braces and glob characters; a queue's name
 * may not hold a colon; a job id may. Nothing else in the code base joins or splits a key.
 */
import type { JobState } from './states';

/** Where a queue lives: the same name under two prefixes is two queues. */
export interface QueueAddress {
  readonly prefix: string;
  readonly queue: string;
}

/** The keys that hang below a job's hash, by their ending. */
export const JOB_SUBKEYS = ['lock', 'logs', 'dependencies', 'processed', 'failed', 'unsuccessful'] as const;
export type JobSubkey = (typeof JOB_SUBKEYS)[number];

/** The keys of the queue itself that carry no further name, by what follows the base. */
export const QUEUE_SUFFIXES = [
  'id',
  'wait',
  'paused',
  'active',
  'prioritized',
  'pc',
  'delayed',
  'waiting-children',
  'completed',
  'failed',
  'stalled',
  'stalled-check',
  'limiter',
  'marker',
  'meta',
  'events',
  'repeat',
  'metrics:completed',
  'metrics:failed',
  'metrics:completed:data',
  'metrics:failed:data',
] as const;
/** A key of the queue itself that carries no further name. */
export type QueueSuffix = (typeof QUEUE_SUFFIXES)[number];

/** What a key is, read back from its text. */
export type ParsedKey =
  | { readonly kind: 'queue'; readonly queue: string; readonly suffix: QueueSuffix }
  | { readonly kind: 'deduplication'; readonly queue: string; readonly deduplicationId: string }
  | { readonly kind: 'deduplicationNext'; readonly queue: string; readonly deduplicationId: string }
  | { readonly kind: 'scheduler'; readonly queue: string; readonly schedulerId: string }
  | { readonly kind: 'job'; readonly queue: string; readonly jobId: string; readonly subkey?: JobSubkey };

/** Builds the keys of one queue. */
export class Keys implements QueueAddress {
  readonly prefix: string;
  readonly queue: string;
  /** `{prefix}:{queue}:`, the key prefix that scripts take. */
  readonly base: string;
  /** `{prefix}:{queue}`, the queue key that parent references store. */
  readonly queueKey: string;

  /** @throws RangeError when the queue's name is empty or holds a colon, or the prefix is empty. */
  constructor(prefix: string, queue: string) {
    const problem = findQueueNameProblem(queue) ?? findPrefixProblem(prefix);
    if (problem) throw new RangeError(problem);
    this.prefix = prefix;
    this.queue = queue;
    this.queueKey = `${prefix}:${queue}`;
    this.base = `${this.queueKey}:`;
  }

  id = () => `${this.base}id`;
  wait = () => `${this.base}wait`;
  paused = () => `${this.base}paused`;
  active = () => `${this.base}active`;
  prioritized = () => `${this.base}prioritized`;
  priorityCounter = () => `${this.base}pc`;
  delayed = () => `${this.base}delayed`;
  waitingChildren = () => `${this.base}waiting-children`;
  completed = () => `${this.base}completed`;
  failed = () => `${this.base}failed`;
  stalled = () => `${this.base}stalled`;
  stalledCheck = () => `${this.base}stalled-check`;
  limiter = () => `${this.base}limiter`;
  marker = () => `${this.base}marker`;
  meta = () => `${this.base}meta`;
  events = () => `${this.base}events`;
  repeat = () => `${this.base}repeat`;
  scheduler = (schedulerId: string) => `${this.base}repeat:${schedulerId}`;
  deduplication = (deduplicationId: string) => `${this.base}de:${deduplicationId}`;
  deduplicationNext = (deduplicationId: string) => `${this.base}dn:${deduplicationId}`;
  metrics = (target: 'completed' | 'failed') => `${this.base}metrics:${target}`;
  metricsData = (target: 'completed' | 'failed') => `${this.base}metrics:${target}:data`;

  job = (jobId: string) => `${this.base}${jobId}`;
  lock = (jobId: string) => `${this.base}${jobId}:lock`;
  logs = (jobId: string) => `${this.base}${jobId}:logs`;
  dependencies = (jobId: string) => `${this.base}${jobId}:dependencies`;
  processed = (jobId: string) => `${this.base}${jobId}:processed`;
  /** The hash of ignored failures of a job's children, not the state `failed`. */
  childFailures = (jobId: string) => `${this.base}${jobId}:failed`;
  unsuccessful = (jobId: string) => `${this.base}${jobId}:unsuccessful`;

  /**
   * The private stalled set and throttle key of one forced recovery. They share the queue's base, and with it the
   * queue's hash tag, and are told apart from every key of the protocol by their ending.
   */
  recoverySet = (recoveryId: string) => `${this.base}stalled:recovery:${recoveryId}`;
  recoveryThrottle = (recoveryId: string) => `${this.base}stalled-check:recovery:${recoveryId}`;

  /** The key of a state. */
  state(state: JobState): string {
    return `${this.base}${state}`;
  }
}

/** The sentence that says why a text cannot name a queue, or `undefined` when it can. */
export function findQueueNameProblem(queue: string): string | undefined {
  if (queue === '') return 'A queue name must not be empty.';
  if (queue.includes(':'))
    return `The queue name "${queue}" holds a colon. Queue names cannot: put it in the prefix.`;
  return undefined;
}

/** The sentence that says why a text cannot be a prefix, or `undefined` when it can. */
export function findPrefixProblem(prefix: string): string | undefined {
  if (prefix === '')
    return 'A key prefix must not be empty. The default of EchoMQ is "emq", of BullMQ "bull".';
  return undefined;
}

/**
 * Reads a key back. `undefined` when it does not belong to the prefix or names no queue (relay keys have an empty
 * queue name). A job whose id equals a queue suffix cannot be told from that suffix: the suffix wins.
 */
export function parseKey(prefix: string, key: string): ParsedKey | undefined {
  const head = `${prefix}:`;
  if (!key.startsWith(head)) return undefined;
  const rest = key.slice(head.length);
  const colon = rest.indexOf(':');
  if (colon <= 0 || colon === rest.length - 1) return undefined;
  const queue = rest.slice(0, colon);
  const suffix = rest.slice(colon + 1);
  if ((QUEUE_SUFFIXES as readonly string[]).includes(suffix)) {
    return { kind: 'queue', queue, suffix: suffix as QueueSuffix };
  }
  if (suffix.startsWith('de:')) return { kind: 'deduplication', queue, deduplicationId: suffix.slice(3) };
  if (suffix.startsWith('dn:')) return { kind: 'deduplicationNext', queue, deduplicationId: suffix.slice(3) };
  const subkey = JOB_SUBKEYS.find((s) => suffix.endsWith(`:${s}`) && suffix.length > s.length + 1);
  if (subkey) return { kind: 'job', queue, jobId: suffix.slice(0, -subkey.length - 1), subkey };
  // `repeat:S` is a scheduler's record; `repeat:S:ms` is the hash of one iteration, a job like any other.
  if (suffix.startsWith('repeat:') && !/:\d+$/.test(suffix)) {
    return { kind: 'scheduler', queue, schedulerId: suffix.slice('repeat:'.length) };
  }
  return { kind: 'job', queue, jobId: suffix };
}

/**
 * Which of several prefixes a `:meta` key belongs to, and the queue it announces. Prefixes that contain each other
 * (`emq` and `emq:eu`) are told apart because a queue's name holds no colon.
 */
export function parseMetaKey(prefixes: readonly string[], key: string): QueueAddress | undefined {
  for (const prefix of prefixes) {
    const parsed = parseKey(prefix, key);
    if (parsed?.kind === 'queue' && parsed.suffix === 'meta') return { prefix, queue: parsed.queue };
  }
  return undefined;
}

/** The SCAN pattern that matches the `:meta` hashes of a prefix, with its glob characters taken literally. */
export function metaPattern(prefix: string): string {
  return `${prefix.replace(/[\\*?[\]^]/g, (c) => `\\${c}`)}:*:meta`;
}

/** The SCAN pattern that matches the `:meta` hashes of every prefix at once; {@link parseMetaKey} sorts them out. */
export const ANY_META_PATTERN = '*:meta';

/** Splits a full job key (as parent references store it) at a known prefix. */
export function parseJobKey(prefix: string, key: string): { queue: string; jobId: string } | undefined {
  const head = `${prefix}:`;
  if (!key.startsWith(head)) return undefined;
  const rest = key.slice(head.length);
  const colon = rest.indexOf(':');
  if (colon <= 0 || colon === rest.length - 1) return undefined;
  return { queue: rest.slice(0, colon), jobId: rest.slice(colon + 1) };
}
