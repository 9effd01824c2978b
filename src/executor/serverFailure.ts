/** Turns an error reply of the server into one of the families, with a sentence that says what to do. */
import { ConnectionError, type ConnectionErrorCode, ScriptFailure } from '../base/errors';
import type { LoadedScript } from '../scripts/types';
import { formatAddress } from './address';
import type { ConnectionOptions } from './options';
import { findExpectedType, findKey } from './readCommands';
import type { ReadCommand } from './types';

/** Tells an error that the server sent as a reply from one of the socket or the client. */
export const isServerReply = (error: Error): boolean => error.name === 'ReplyError';

/** What the server was asked when it answered with an error. */
export interface Asked {
  /** The command's name; for a script, its id. */
  readonly what: string;
  readonly key?: string;
  /** `{prefix}:{queue}` of a script, which takes many keys. */
  readonly queueKey?: string;
  /** What the key was expected to hold, in words. */
  readonly expected?: string;
}

/** What is known about a read command, for the sentence about its error. */
export function describeRead(command: ReadCommand): Asked {
  const key = findKey(command);
  const expected = findExpectedType(command[0]);
  return {
    what: command[0].toUpperCase(),
    ...(key === undefined ? {} : { key }),
    ...(expected === undefined ? {} : { expected }),
  };
}

/** Codes of errors that concern the whole server, whatever was asked. */
const SERVER_WIDE: readonly ConnectionErrorCode[] = ['loading', 'busy', 'passwordNeeded', 'primaryDown'];

/** True for an error that every command would get at this moment. */
export const isServerWide = (error: ConnectionError): boolean => SERVER_WIDE.includes(error.code);

/** The error of the connection family for an error reply. */
export function describeServerFailure(
  error: Error,
  options: ConnectionOptions,
  asked: Asked,
): ConnectionError {
  const at = formatAddress(options);
  const { message } = error;
  const fail = (code: ConnectionErrorCode, sentence: string) =>
    new ConnectionError(sentence, code, { cause: error });
  const prefix = /^[A-Z]+/.exec(message)?.[0] ?? '';

  switch (prefix) {
    case 'WRONGPASS':
      if (options.username && options.password === undefined) {
        const user = JSON.stringify(options.username);
        return fail(
          'passwordNeeded',
          `${at} wants the password of the user ${user}. Enter it in the connection.`,
        );
      }
      return fail(
        'wrongPassword',
        `${at} refused the user name or the password. Enter them again in the connection.`,
      );
    case 'NOAUTH':
      return fail('passwordNeeded', `${at} wants a password. Enter it in the connection.`);
    case 'NOPERM':
      return fail('noPermission', describeDenial(message, options, asked));
    case 'READONLY':
      return fail(
        'readOnlyReplica',
        `${at} is a read-only replica: nothing was changed. ${hintAtPrimary(options)}`,
      );
    case 'MASTERDOWN':
      return fail(
        'primaryDown',
        `${at} is a replica that has lost its primary, and answers nothing until it is back. ${hintAtPrimary(options)}`,
      );
    case 'LOADING':
      return fail('loading', `${at} is still loading its data from disk. Try again in a moment.`);
    case 'BUSY':
      return fail('busy', describeBusy(message, at));
    case 'OOM':
      return fail(
        'outOfMemory',
        `${at} is out of memory (maxmemory): nothing was changed. Free some, or raise the limit.`,
      );
    case 'MISCONF':
      return fail(
        'serverError',
        `${at} refuses writes because it cannot save to disk (MISCONF): nothing was changed. Its log says why; free disk space or repair the permissions there.`,
      );
    case 'WRONGTYPE':
      return fail('wrongType', describeWrongType(asked));
    case 'NOREPLICAS':
      return fail(
        'serverError',
        `${at} refuses writes because too few replicas are connected; nothing was changed.`,
      );
    case 'MOVED':
    case 'ASK':
    case 'CROSSSLOT':
    case 'CLUSTERDOWN':
    case 'TRYAGAIN':
      return fail('cluster', describeCluster(prefix, message, at, asked));
    case 'DENIED':
      return fail(
        'noPermission',
        `${at} is in protected mode: it lets in only its own machine. Set a password on it first.`,
      );
    default:
      return fail(...describeByText(message, at, asked));
  }
}

function describeByText(message: string, at: string, asked: Asked): [ConnectionErrorCode, string] {
  if (/without any password configured|no password is set/i.test(message)) {
    return ['wrongPassword', `${at} needs no password. Remove the password from the connection.`];
  }
  if (/wrong number of arguments for 'auth'/i.test(message)) {
    return [
      'wrongPassword',
      `${at} knows no user names (Redis before 6). Remove the user name from the connection.`,
    ];
  }
  if (/invalid password/i.test(message)) {
    return ['wrongPassword', `${at} refused the password. Enter it again in the connection.`];
  }
  if (/DB index is out of range|invalid DB index/i.test(message)) {
    return ['serverError', `The database of ${at} does not exist on that server. Choose a lower number.`];
  }
  if (FOREIGN_SLOT.test(message)) return ['cluster', describeCluster('CROSSSLOT', message, at, asked)];
  if (/SELECT is not allowed in cluster/i.test(message)) {
    return [
      'cluster',
      `${at} is a node of a Redis Cluster, which has database 0 only. Choose that; cluster mode is not supported yet beyond the keys of one node.`,
    ];
  }
  if (/max number of clients/i.test(message)) {
    return [
      'serverError',
      `${at} has as many connections as it allows (maxclients). Close some and try again.`,
    ];
  }
  if (/unknown command/i.test(message)) {
    return [
      'unknownCommand',
      `${at} does not know the command ${asked.what}: it was renamed or switched off there, or this is a sentinel or a server older than Redis 6.2. Ask who runs it, or connect to another.`,
    ];
  }
  return ['serverError', `${at} answered ${asked.what} with an error: ${message}`];
}

const hintAtPrimary = (options: ConnectionOptions) =>
  'sentinel' in options
    ? 'A failover is under way: try again in a moment.'
    : 'Connect to its primary, or by its sentinels.';

function describeBusy(message: string, at: string): string {
  const kill = /FUNCTION KILL/i.exec(message)?.[0] ?? 'SCRIPT KILL';
  return `${at} is busy with a script that runs too long, and answers nothing else. Wait, or stop it with ${kill}.`;
}

function describeCluster(prefix: string, message: string, at: string, { what, key }: Asked): string {
  const node = `${at} is a node of a Redis Cluster`;
  const advice = 'Cluster mode is not supported yet: connect to a server without it.';
  if (prefix === 'CROSSSLOT') {
    return `${node}, and the keys of ${what} lie in several of its slots (CROSSSLOT). ${advice}`;
  }
  if (prefix === 'CLUSTERDOWN') return `${node} that does not work as a whole (${message}). ${advice}`;
  const other = /^(?:MOVED|ASK) \d+ (\S+)/.exec(message)?.[1];
  const where = other === undefined ? 'elsewhere' : `at ${other}`;
  return `${node}, and ${key === undefined ? 'what was asked for' : `the key "${key}"`} lies ${where}. ${advice}`;
}

const describeWrongType = ({ what, key, expected }: Asked) =>
  key === undefined
    ? `${what} met a key that holds a value of the wrong type.`
    : `The key "${key}" does not hold ${expected ?? 'what was expected'}, so it is not one of a queue's. Look at it with TYPE.`;

function describeDenial(message: string, options: ConnectionOptions, asked: Asked): string {
  const user = options.username ?? 'default';
  const at = formatAddress(options);
  const denied =
    /run the '([^']+)'/i.exec(message)?.[1] ??
    (/command/i.test(message) && !/keys? |channel/i.test(message) ? asked.what : undefined);
  if (denied !== undefined) return denyCommand(user, denied, at);
  if (/channel/i.test(message)) return denyChannel(user, at);
  if (/database/i.test(message)) {
    return `The user "${user}" of ${at} may not use this database: an ACL rule db= that holds its number is missing.`;
  }
  return denyKey(user, asked, at);
}

const denyCommand = (user: string, command: string, at: string) =>
  `The user "${user}" of ${at} may not run ${command.toUpperCase()}: the ACL rule +${command.toLowerCase()} is missing.`;

const denyChannel = (user: string, at: string) =>
  `The user "${user}" of ${at} may not publish on a channel that is needed: an ACL rule &pattern that covers it is missing.`;

function denyKey(user: string, { key, queueKey }: Pick<Asked, 'key' | 'queueKey'>, at: string): string {
  const who = `The user "${user}" of ${at} may not use`;
  if (queueKey !== undefined) {
    return `${who} the keys of the queue "${queueKey}": an ACL rule such as ~${queueKey}:* is missing.`;
  }
  if (key !== undefined) return `${who} the key "${key}": an ACL rule such as ~${key} is missing.`;
  return `${who} a key that is needed: an ACL rule ~pattern that covers it is missing.`;
}

/** Error prefixes with which a server stops a script at its first write, before anything was changed. */
const STOPPED_BEFORE_WRITING = /^(OOM|READONLY|MISCONF|NOREPLICAS|MASTERDOWN)\b/;

/** With these words a node of a cluster stops a script before it touches a key that is not its own. */
const FOREIGN_SLOT = /do not hash to the same slot|non local key in a cluster/i;

/**
 * The error for a script that was sent and answered with an error reply: of the connection family where the server
 * kept it from running or writing, else a {@link ScriptFailure} at the file and line it was written at.
 */
export function describeScriptFailure(
  error: Error,
  options: ConnectionOptions,
  script: LoadedScript,
  queueKey: string | undefined,
): ConnectionError | ScriptFailure {
  const { message } = error;
  const asked: Asked = { what: script.id, ...(queueKey === undefined ? {} : { queueKey }) };
  const numbers = [...message.matchAll(/user_script:(\d+)/g)];
  const number = Number(numbers.at(-1)?.[1] ?? 0);
  if (number === 0 || STOPPED_BEFORE_WRITING.test(message) || FOREIGN_SLOT.test(message))
    return describeServerFailure(error, options, asked);

  const place = script.lines[number - 1];
  const where = place ? ` at ${place.file}:${place.line}` : '';
  const denial = findDenialInScript(message, script.text.split('\n')[number - 1] ?? '', options, asked);
  if (denial !== undefined) {
    const sentence = `${denial} ${script.id} stopped${where}; what it had changed before stays changed.`;
    return new ConnectionError(sentence, 'noPermission', { cause: error });
  }
  const reason = message
    .replace(/ script: [0-9a-f]{40}.*$/s, '')
    .replace(/@?user_script:\d+: /g, '')
    .replace(/^ERR (Error (running|compiling) script \([^)]*\): )?/, '')
    .trim();
  const hint = reason.startsWith('WRONGTYPE') ? ' A key of the queue holds a value of the wrong type.' : '';
  const sentence = `${script.id} failed${where}: ${reason}.${hint}`;
  return new ScriptFailure(sentence, script.id, place?.file, place?.line, { cause: error });
}

/** The sentence for a command inside a script that the user may not run, or `undefined`. */
function findDenialInScript(
  message: string,
  line: string,
  options: ConnectionOptions,
  asked: Asked,
): string | undefined {
  const user = options.username ?? 'default';
  const at = formatAddress(options);
  if (/can't access at least one of the channels|permissions to access.*channel/i.test(message))
    return denyChannel(user, at);
  if (/can't access at least one of the keys|permissions to access/i.test(message))
    return denyKey(user, asked, at);
  if (!/can't run this command|ACL failure in script|permissions to run/i.test(message)) return undefined;
  // Some servers name the command, others only the line it stands on.
  const named = /run the '([^']+)'/i.exec(message)?.[1] ?? /redis\.p?call\(\s*'([^']+)'/.exec(line)?.[1];
  return denyCommand(user, named ?? 'a command of the script', at);
}
