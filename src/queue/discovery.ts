/**
 * Finds queues by their `:meta` hashes: one SCAN pass over the database, never KEYS.
 *
 * SCAN walks all keys whatever its pattern is, and the pattern only decides what is sent back. So several prefixes
 * share one pass with the pattern `*:meta`, which sends back little more than the queues, and are told apart here;
 * a pass for each prefix would walk the database as often as there are prefixes. The types of what a step found are
 * asked for along with the next step.
 */
import type { Cancellation } from '../base/cancellation';
import type { Executor, ReadCommand, ReadReply } from '../executor/types';
import { ANY_META_PATTERN, metaPattern, parseMetaKey, type QueueAddress } from '../keys/keys';
import { findText, requireValue } from './replies';
import type { DiscoveryProgress, DiscoveryResult } from './types';

/** How many keys one step walks over: about a millisecond of the server's time. */
const STEP_KEYS = 5000;
const DEFAULT_MAX_KEYS = 10_000_000;

export interface DiscoveryOptions {
  readonly cancellation?: Cancellation;
  /** Called after each step. */
  readonly onProgress?: (progress: DiscoveryProgress) => void;
  /** The pass ends with `limit` after about so many keys. Default ten million. */
  readonly maxKeys?: number;
}

/**
 * The queues of some prefixes, in the order in which they were found. A queue is told once and under one prefix,
 * also where one prefix contains another. @throws ConnectionError when SCAN is refused or the connection fails.
 */
export async function discoverQueues(
  executor: Executor,
  prefixes: readonly string[],
  options: DiscoveryOptions = {},
): Promise<DiscoveryResult> {
  const maxKeys = options.maxKeys ?? DEFAULT_MAX_KEYS;
  const [only, ...others] = new Set(prefixes);
  if (only === undefined) return { queues: [], scanned: 0, end: 'complete' };
  const pattern = others.length === 0 ? metaPattern(only) : ANY_META_PATTERN;

  const queues: QueueAddress[] = [];
  const seen = new Set<string>();
  let unchecked: string[] = [];
  let scanned = 0;
  let total: number | undefined;
  const keepHashes = (types: readonly ReadReply[]) => {
    for (const [i, key] of unchecked.entries()) {
      const address = parseMetaKey(prefixes, key);
      if (address && findText(types[i]) === 'hash') queues.push(address);
    }
    unchecked = [];
  };

  for (let cursor = '0', isFirst = true; isFirst || cursor !== '0'; isFirst = false) {
    if (options.cancellation?.isCancellationRequested) return { queues, scanned, end: 'cancelled' };
    if (scanned >= maxKeys) {
      keepHashes(await executor.read(typeCommands(unchecked)));
      return { queues, scanned, end: 'limit' };
    }
    const [size, step, ...types] = await executor.read([
      ['DBSIZE'],
      ['SCAN', cursor, 'MATCH', pattern, 'COUNT', STEP_KEYS],
      ...typeCommands(unchecked),
    ]);
    keepHashes(types);
    if (size && 'value' in size && typeof size.value === 'number') total = size.value;
    const [next, keys] = decodeStep(step);
    cursor = next;
    // A step walks over about as many keys as it was asked to; the last one over what is left.
    scanned = cursor === '0' ? (total ?? scanned + STEP_KEYS) : scanned + STEP_KEYS;
    if (total !== undefined) scanned = Math.min(scanned, total);
    // SCAN may send a key twice.
    unchecked = keys.filter((key) => !seen.has(key) && parseMetaKey(prefixes, key));
    for (const key of unchecked) seen.add(key);
    if (cursor === '0') keepHashes(await executor.read(typeCommands(unchecked)));
    options.onProgress?.({ scanned, total, found: [...queues] });
  }
  return { queues, scanned, end: 'complete' };
}

const typeCommands = (keys: readonly string[]) => keys.map((key): ReadCommand => ['TYPE', key]);

function decodeStep(reply: ReadReply | undefined): [cursor: string, keys: string[]] {
  const value = requireValue(reply);
  const [cursor, keys] = Array.isArray(value) ? value : [];
  return [
    String(cursor ?? '0'),
    Array.isArray(keys) ? keys.filter((key): key is string => typeof key === 'string') : [],
  ];
}
