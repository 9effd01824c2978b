/**
 * The commands that reading may send. A command is listed only when no form of it writes, blocks or changes the
 * connection; everything else is refused before a byte is sent. Deliberately absent: KEYS, whose time grows with the
 * database; SORT, GETEX and XREAD, which have forms that write or block; EVAL_RO, because reading needs no script.
 */
import type { ReadCommand } from './types';

/** The types of a key, in words, and the commands that expect it. */
const COMMANDS_BY_TYPE: Readonly<Record<string, string>> = {
  'a list': 'LLEN LINDEX LRANGE LPOS',
  'a sorted set':
    'ZCARD ZCOUNT ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE ZSCORE ZMSCORE ZRANK ZREVRANK ZSCAN',
  'a hash': 'HEXISTS HGET HMGET HLEN HSTRLEN HKEYS HGETALL HSCAN',
  'a set': 'SCARD SMEMBERS SISMEMBER SSCAN',
  'a text': 'GET GETRANGE STRLEN',
  'a stream': 'XLEN XRANGE XREVRANGE',
};

/** Commands that take a key of any type. */
const FOR_ANY_KEY = ['EXISTS', 'TYPE', 'TTL', 'PTTL', 'MEMORY'];
const WITHOUT_KEY = ['SCAN', 'DBSIZE', 'PING', 'INFO', 'HELLO', 'CLIENT', 'SCRIPT'];

/** Commands of which only one form reads: what the first argument must be, where there must be one. */
const ONLY_FORM: Readonly<Record<string, string | undefined>> = {
  MEMORY: 'USAGE',
  CLIENT: 'GETNAME',
  SCRIPT: 'EXISTS',
  // With arguments it would change the protocol or sign in as somebody else.
  HELLO: undefined,
};

const expectedTypes = new Map(
  Object.entries(COMMANDS_BY_TYPE).flatMap(([type, commands]) => commands.split(' ').map((c) => [c, type])),
);

const isListed = (command: string) =>
  expectedTypes.has(command) || FOR_ANY_KEY.includes(command) || WITHOUT_KEY.includes(command);

/** @throws Error when the command is not one that reading may send. */
export function requireReadCommand([name, ...args]: ReadCommand): void {
  const command = name.toUpperCase();
  const form = args[0] === undefined ? undefined : String(args[0]).toUpperCase();
  const isAllowed = !(command in ONLY_FORM) || form === ONLY_FORM[command];
  if (!isListed(command) || !isAllowed) {
    throw new Error(`${command} is not among the commands that reading may send.`);
  }
}

/** What a command expects its key to hold, in words; `undefined` when any key will do. */
export const findExpectedType = (command: string): string | undefined =>
  expectedTypes.get(command.toUpperCase());

/** The key a read command looks at, where it has one. */
export function findKey([name, ...args]: ReadCommand): string | undefined {
  const command = name.toUpperCase();
  if (WITHOUT_KEY.includes(command)) return undefined;
  const key = command === 'MEMORY' ? args[1] : args[0];
  return key === undefined ? undefined : String(key);
}
