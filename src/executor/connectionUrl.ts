/**
 * Reads the URL of a connection. A password never appears in what is thrown.
 *
 *     redis[s]://[user[:password]@]host[:port][/database]
 *     redis[s]-sentinel://[user[:password]@]sentinel[:port][,sentinel[:port]…][/database]#master
 *     unix://[user[:password]@]/path/of/the/socket[?db=database]
 *
 * Options after a ? have the names of the fields they fill: those of TLS (`caFile`, `certFile`, `keyFile`,
 * `servername`, `rejectUnauthorized`) and `sentinelUsername`, `sentinelPassword`, `sentinelTls`.
 */
import { InputError } from '../base/errors';
import type { Addressed } from './address';
import type { HostPort, SentinelOptions, Target, TlsOptions } from './options';

/** The port Redis listens on unless told otherwise. */
export const DEFAULT_PORT = 6379;
export const DEFAULT_SENTINEL_PORT = 26379;

/** What a URL says, with the passwords apart so that nobody stores them by accident. */
export interface ParsedConnectionUrl {
  readonly options: Addressed;
  readonly password?: string;
  readonly sentinelPassword?: string;
}

const EXAMPLE = 'redis://localhost:6379/0, or rediss:// for TLS, redis-sentinel:// or unix://';
const SENTINEL_EXAMPLE = 'redis-sentinel://host:26379,other:26379/0#mymaster';
const ENCODING_HINT =
  'Characters such as @ : / ? # % in a user name or password must be percent-encoded, for example %40 for @.';
const BARE_ADDRESS = /^([\w.-]+|\[[0-9a-f:.]+\])(:\d+)?(\/\d*)?$/i;
const SHAPE = /^([a-z][a-z0-9+.-]*):\/\/(?:([^@/?#]*)@)?([^@/?#]*)(\/[^@?#]*)?(?:\?([^@#]*))?(?:#([^@]*))?$/i;
const DATABASE = /^\d{0,6}$/;
const TLS_NAMES = ['caFile', 'certFile', 'keyFile', 'servername', 'rejectUnauthorized'];
const SENTINEL_NAMES = ['sentinelUsername', 'sentinelPassword', 'sentinelTls'];

interface UrlParts {
  readonly hosts: string;
  /** Still percent-encoded. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
  readonly fragment: string;
  readonly username: string;
  readonly password: string;
}

/**
 * Reads a URL, or a bare `host[:port][/database]`.
 * @throws InputError with a sentence that says what is wrong and never holds the password.
 */
export function parseConnectionUrl(text: string): ParsedConnectionUrl {
  const given = text.trim();
  const full = BARE_ADDRESS.test(given) ? `redis://${given}` : given;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(full)?.[1]?.toLowerCase();
  if (scheme === undefined) throw new InputError(`The URL of a connection looks like ${EXAMPLE}.`);
  switch (scheme) {
    case 'redis':
    case 'rediss':
      return parseServer(split(full), scheme === 'rediss');
    case 'redis-sentinel':
    case 'rediss-sentinel':
      return parseSentinel(split(full), scheme === 'rediss-sentinel');
    case 'unix':
      return parseSocket(split(full));
    default:
      throw new InputError(`${scheme}:// is no address of a Redis. Its URL looks like ${EXAMPLE}.`);
  }
}

function parseServer(parts: UrlParts, isSecure: boolean): ParsedConnectionUrl {
  if (parts.fragment !== '') {
    throw new InputError(`The URL holds a #, which is no part of an address. ${ENCODING_HINT}`);
  }
  requireNames(parts.query, isSecure ? TLS_NAMES : []);
  if (parts.hosts === '') throw new InputError(`The URL names no host. It looks like ${EXAMPLE}.`);
  return finish(parts, parseHostPort(parts.hosts, DEFAULT_PORT), isSecure);
}

function parseSentinel(parts: UrlParts, isSecure: boolean): ParsedConnectionUrl {
  const { query } = parts;
  requireNames(query, [...SENTINEL_NAMES, ...(isSecure ? TLS_NAMES : [])]);
  const username = query.get('sentinelUsername');
  const password = query.get('sentinelPassword');
  const tls = query.get('sentinelTls');
  const sentinel: SentinelOptions = {
    master: decode(parts.fragment),
    nodes: parseNodes(parts.hosts),
    ...(username ? { username } : {}),
    ...(tls === undefined ? {} : { tls: readYesOrNo('sentinelTls', tls) }),
  };
  if (sentinel.master === '') {
    throw new InputError(`The URL does not name the primary. It looks like ${SENTINEL_EXAMPLE}.`);
  }
  return { ...finish(parts, { sentinel }, isSecure), ...(password ? { sentinelPassword: password } : {}) };
}

function parseSocket(parts: UrlParts): ParsedConnectionUrl {
  requireNames(parts.query, ['db']);
  const socketPath = decode(parts.path);
  if (parts.hosts !== '' || socketPath.length < 2 || parts.fragment !== '') {
    throw new InputError('The URL of a socket holds its full path: unix:///run/redis.sock?db=0.');
  }
  return finish({ ...parts, path: parts.query.get('db') ?? '' }, { socketPath }, false);
}

function finish(parts: UrlParts, target: Target, isSecure: boolean): ParsedConnectionUrl {
  const database = parts.path.replace(/^\//, '');
  if (!DATABASE.test(database)) {
    throw new InputError(
      'What follows the host in the URL must be the number of a database, for example /0.',
    );
  }
  const { username, password } = parts;
  const options: Addressed = {
    ...target,
    ...(username === '' ? {} : { username }),
    database: Number(database),
    tls: isSecure && readTls(parts.query),
  };
  return { options, ...(password === '' ? {} : { password }) };
}

/** `host:port,host:port`, where a port may be missing. @throws InputError */
export function parseNodes(text: string): HostPort[] {
  const nodes = text.split(',').map((node) => node.trim());
  const named = nodes.filter((node) => node !== '');
  if (named.length === 0)
    throw new InputError(`No sentinel is named. The URL looks like ${SENTINEL_EXAMPLE}.`);
  return named.map((node) => parseHostPort(node, DEFAULT_SENTINEL_PORT));
}

function parseHostPort(text: string, defaultPort: number): HostPort {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]]+))(?::(\d+))?$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) {
    throw new InputError(`The URL cannot be read. It looks like ${EXAMPLE}. ${ENCODING_HINT}`);
  }
  const number = port === undefined ? defaultPort : Number(port);
  if (number < 1 || number > 65535) throw new InputError('The port must be between 1 and 65535.');
  return { host: decode(host), port: number };
}

function split(text: string): UrlParts {
  const match = SHAPE.exec(text);
  if (!match) throw new InputError(`The URL cannot be read. It looks like ${EXAMPLE}. ${ENCODING_HINT}`);
  const [, , user = '', hosts = '', path = '', query = '', fragment = ''] = match;
  const colon = user.indexOf(':');
  return {
    hosts,
    path,
    query: readQuery(query),
    fragment,
    username: decode(colon < 0 ? user : user.slice(0, colon)),
    password: colon < 0 ? '' : decode(user.slice(colon + 1)),
  };
}

function readQuery(text: string): Map<string, string> {
  const query = new Map<string, string>();
  for (const pair of text.split('&').filter((entry) => entry !== '')) {
    const equals = pair.indexOf('=');
    query.set(
      decode(equals < 0 ? pair : pair.slice(0, equals)),
      equals < 0 ? '' : decode(pair.slice(equals + 1)),
    );
  }
  return query;
}

/** What a query says about TLS; true when it says nothing. */
function readTls(query: ReadonlyMap<string, string>): true | TlsOptions {
  const files = TLS_NAMES.slice(0, 4).flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value] as const] : [];
  });
  const check = query.get('rejectUnauthorized');
  const checked = check === undefined ? {} : { rejectUnauthorized: readYesOrNo('rejectUnauthorized', check) };
  const tls: TlsOptions = { ...Object.fromEntries(files), ...checked };
  return Object.keys(tls).length === 0 ? true : tls;
}

function readYesOrNo(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InputError(`${name} in the URL must be true or false.`);
  return text === 'true';
}

/** A name that is not understood may be half a password, so it is not repeated. */
function requireNames(query: ReadonlyMap<string, string>, names: readonly string[]): void {
  if ([...query.keys()].every((name) => names.includes(name))) return;
  const known = names.length === 0 ? 'none are here without TLS' : `known are ${names.join(', ')}`;
  throw new InputError(`The URL holds options after a ? that are not understood: ${known}. ${ENCODING_HINT}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InputError(`The URL holds a % that encodes nothing. ${ENCODING_HINT}`);
  }
}
