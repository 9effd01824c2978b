/** Reads a keyspace whole, so that two of them can be held against each other. */
import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';

/** One key as it lies in Redis. Sets are sorted; sorted sets are in score order; streams hold entries without ids. */
export interface DumpedKey {
  readonly type: string;
  readonly value: unknown;
  /** What PTTL says: -1 without an expiry. */
  readonly ttlMs: number;
}

/** Key → what it holds. */
export type Keyspace = Readonly<Record<string, DumpedKey>>;

/** What must be taken out of a dump before it can be compared. */
export interface Normalisation {
  /** This text, wherever it stands (keys, members, values), becomes `with`. */
  readonly replace: string;
  readonly with: string;
  /** A whole number of ms that lies in here is a clock reading and becomes `<clock>`. */
  readonly clockMs: readonly [from: number, to: number];
}

const escapeGlob = (text: string) => text.replace(/[\\*?[\]^]/g, (c) => `\\${c}`);

/** Every key that starts with `start`: type, time to live and whole content. */
export async function dumpKeyspace(redis: Redis, start: string): Promise<Keyspace> {
  const names: string[] = [];
  let cursor = '0';
  do {
    const [next, found] = await redis.scan(cursor, 'MATCH', `${escapeGlob(start)}*`, 'COUNT', 1000);
    names.push(...found);
    cursor = next;
  } while (cursor !== '0');
  const dumped: Record<string, DumpedKey> = {};
  for (const name of [...new Set(names)].sort()) {
    const type = await redis.type(name);
    // A key can lapse between SCAN and here.
    if (type !== 'none')
      dumped[name] = { type, value: await readValue(redis, name, type), ttlMs: await redis.pttl(name) };
  }
  return dumped;
}

async function readValue(redis: Redis, name: string, type: string): Promise<unknown> {
  switch (type) {
    case 'string':
      return redis.get(name);
    case 'list':
      return redis.lrange(name, 0, -1);
    case 'set':
      return (await redis.smembers(name)).sort();
    case 'hash':
      return redis.hgetall(name);
    case 'zset': {
      const flat = await redis.zrange(name, 0, '-1', 'WITHSCORES');
      return flat.flatMap((member, i) => (i % 2 === 0 ? [[member, flat[i + 1]]] : []));
    }
    case 'stream':
      return (await redis.xrange(name, '-', '+')).map((entry) => entry[1]);
    default:
      throw new Error(`${name} is of the unknown type ${type}`);
  }
}

/** JSON texts whose key order is free: the protocol encodes them anew in Lua. */
const REENCODED_FIELDS = ['opts', 'parent', 'pd'];

/** Takes names, clock readings and free key orders out of a dump. Times to live stay as they are. */
export function normaliseKeyspace(keyspace: Keyspace, how: Normalisation): Keyspace {
  return Object.fromEntries(
    Object.entries(keyspace).map(([name, key]) => [
      normaliseText(name, how),
      { ...key, value: normaliseValue(key.value, how) },
    ]),
  );
}

/** The same for a reply, or any other value made of texts, numbers, arrays and objects. */
export function normaliseValue(value: unknown, how: Normalisation): unknown {
  if (typeof value === 'string') return normaliseText(value, how);
  if (Array.isArray(value)) return value.map((item) => normaliseValue(item, how));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([field, content]) => [
        normaliseText(field, how),
        REENCODED_FIELDS.includes(field) && typeof content === 'string'
          ? normaliseValue(parseJson(content), how)
          : normaliseValue(content, how),
      ]),
    );
  }
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function normaliseText(text: string, how: Normalisation): string {
  const [from, to] = how.clockMs;
  if (/^\d{13}$/.test(text) && Number(text) >= from && Number(text) <= to) return '<clock>';
  return text.replaceAll(how.replace, how.with);
}

/** How far apart two times to live may be that were set by the same step. */
const TTL_TOLERANCE_MS = 5000;

/**
 * Holds two normalised keyspaces against each other: everything equal, and times to live present in both or in
 * neither, and near each other.
 */
export function assertSameKeyspace(ours: Keyspace, theirs: Keyspace): void {
  const withoutTtl = (keyspace: Keyspace) =>
    Object.fromEntries(Object.entries(keyspace).map(([name, { type, value }]) => [name, { type, value }]));
  assert.deepEqual(withoutTtl(ours), withoutTtl(theirs));
  for (const [name, { ttlMs }] of Object.entries(ours)) {
    const other = theirs[name]?.ttlMs ?? -2;
    const near = ttlMs < 0 || other < 0 ? ttlMs === other : Math.abs(ttlMs - other) <= TTL_TOLERANCE_MS;
    assert.ok(near, `${name}: our time to live is ${ttlMs} ms, the reference's ${other} ms`);
  }
}
