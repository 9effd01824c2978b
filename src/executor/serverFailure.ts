/** Turns an error reply of the server into one of the families, with a sentence that says what to do. */
import { ConnectionError, type ConnectionErrorCode, ScriptFailure } from '../base/errors';
import type { LoadedScript } from '../scripts/types';
import { formatAddress } from './address';
import { findExpectedType, findKey } from './readCommands';
import type { ConnectionOptions, ReadCommand } from './types';

/** Tells an error that the server sent as a reply from one of the socket or the client. */
export const isServerReply = (error: Error): boolean => error.name === 'ReplyError';

/** What the server was asked when it answered with an error. */
export interface Asked {
  /** The command's name; for a script, its id. */
  readonly what: string;
  readonly key?: string;
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
const SERVER_WIDE: readonly ConnectionErrorCode[] = ['loading', 'busy', 'passwordNeeded'];

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
        `${at} is a read-only replica: nothing was changed. Connect to its primary.`,
      );
    case 'LOADING':
      return fail('loading', `${at} is still loading its data from disk. Try again in a moment.`);
    case 'BUSY':
      return fail(
        'busy',
        `${at} is busy with a script that runs too long. Wait, or stop it with SCRIPT KILL.`,
      );
    case 'OOM':
      return fail(
        'outOfMemory',
        `${at} is out of memory (maxmemory): nothing was changed. Free some, or raise the limit.`,
      );
    case 'MISCONF':
      return fail(
        'serverError',
        `${at} refuses writes because it cannot save to disk. Look at its log; nothing was changed.`,
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
      return fail(
        'serverError',
        `${at} is a node of a Redis Cluster and does not serve this queue itself (${message}).`,
      );
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
  if (/SELECT is not allowed in cluster/i.test(message)) {
    return ['serverError', `${at} is a Redis Cluster, which has database 0 only.`];
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
      `${at} does not know the command ${asked.what}: it was renamed or switched off there, or the server is older than Redis 6.2. Ask who runs it, or use a newer server.`,
    ];
  }
  return ['serverError', `${at} answered ${asked.what} with an error: ${message}`];
}

const describeWrongType = ({ what, key, expected }: Asked) =>
  key === undefined
    ? `${what} met a key that holds a value of the wrong type.`
    : `The key "${key}" does not hold ${expected ?? 'what was expected'}, so it is not one of a queue's. Look at it with TYPE.`;

function describeDenial(message: string, options: ConnectionOptions, asked: Asked): string {
  const user = options.username ?? 'default';
  const denied =
    /run the '([^']+)'/i.exec(message)?.[1] ??
    (/command/i.test(message) && !/key/i.test(message) ? asked.what : undefined);
  if (denied !== undefined) return denyCommand(user, denied, formatAddress(options));
  return denyKey(user, asked.key, formatAddress(options));
}

const denyCommand = (user: string, command: string, at: string) =>
  `The user "${user}" of ${at} may not run ${command.toUpperCase()}: the ACL rule +${command.toLowerCase()} is missing.`;

const denyKey = (user: string, key: string | undefined, at: string) =>
  key === undefined
    ? `The user "${user}" of ${at} may not use a key of this queue: an ACL rule ~pattern that covers it is missing.`
    : `The user "${user}" of ${at} may not use the key "${key}": an ACL rule such as ~${key} is missing.`;

/** Error prefixes with which a server stops a script at its first write, before anything was changed. */
const STOPPED_BEFORE_WRITING = /^(OOM|READONLY|MISCONF|NOREPLICAS|MASTERDOWN)\b/;

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
  const asked: Asked = { what: script.id, ...(queueKey === undefined ? {} : { key: `${queueKey}` }) };
  const numbers = [...message.matchAll(/user_script:(\d+)/g)];
  const number = Number(numbers.at(-1)?.[1] ?? 0);
  if (number === 0 || STOPPED_BEFORE_WRITING.test(message))
    return describeServerFailure(error, options, asked);

  const place = script.lines[number - 1];
  const where = place ? ` at ${place.file}:${place.line}` : '';
  const denial = findDenialInScript(message, script.text.split('\n')[number - 1] ?? '', options);
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
function findDenialInScript(message: string, line: string, options: ConnectionOptions): string | undefined {
  const user = options.username ?? 'default';
  const at = formatAddress(options);
  if (/can't access at least one of the keys|permissions to access/i.test(message))
    return denyKey(user, undefined, at);
  if (!/can't run this command|ACL failure in script|permissions to run/i.test(message)) return undefined;
  // Some servers name the command, others only the line it stands on.
  const named = /run the '([^']+)'/i.exec(message)?.[1] ?? /redis\.p?call\(\s*'([^']+)'/.exec(line)?.[1];
  return denyCommand(user, named ?? 'a command of the script', at);
}
