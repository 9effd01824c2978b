/** Reads and prints the URL of a server. A password never appears in what these functions print or throw. */
import { InputError } from '../base/errors';
import type { ConnectionOptions } from './types';

/** The port Redis listens on unless told otherwise. */
const DEFAULT_PORT = 6379;

/** What a URL says, with the password apart so that nobody stores it by accident. */
export interface ParsedConnectionUrl {
  readonly options: Omit<ConnectionOptions, 'password'>;
  readonly password?: string;
}

const EXAMPLE = 'redis://localhost:6379/0, or rediss:// for TLS';
const ENCODING_HINT =
  'Characters such as @ : / ? # % in a user name or password must be percent-encoded, for example %40 for @.';
const BARE_ADDRESS = /^([\w.-]+|\[[0-9a-f:.]+\])(:\d+)?(\/\d*)?$/i;

/**
 * Reads `redis[s]://[user[:password]@]host[:port][/database]`, or a bare `host[:port][/database]`.
 * @throws InputError with a sentence that says what is wrong and never holds the password.
 */
export function parseConnectionUrl(text: string): ParsedConnectionUrl {
  const given = text.trim();
  const full = BARE_ADDRESS.test(given) ? `redis://${given}` : given;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(full)?.[1]?.toLowerCase();
  if (scheme === undefined) throw new InputError(`The URL of a connection looks like ${EXAMPLE}.`);
  if (scheme !== 'redis' && scheme !== 'rediss') {
    throw new InputError(`${scheme}:// is no address of a Redis. Its URL looks like ${EXAMPLE}.`);
  }
  const url = requireUrl(full);
  const host = decode(url.hostname).replace(/^\[(.*)\]$/, '$1');
  if (host === '') throw new InputError(`The URL names no host. It looks like ${EXAMPLE}.`);
  if (url.port === '0') throw new InputError('The port must be between 1 and 65535.');
  const database = url.pathname.replace(/^\//, '');
  if (!/^\d{0,6}$/.test(database)) {
    throw new InputError(
      'What follows the host in the URL must be the number of a database, for example /0.',
    );
  }
  const username = decode(url.username);
  const password = decode(url.password);
  return {
    options: {
      host,
      port: url.port === '' ? DEFAULT_PORT : Number(url.port),
      ...(username === '' ? {} : { username }),
      database: Number(database),
      tls: scheme === 'rediss',
    },
    ...(password === '' ? {} : { password }),
  };
}

function requireUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new InputError(`The URL cannot be read. It looks like ${EXAMPLE}. ${ENCODING_HINT}`);
  }
  if (url.hash !== '')
    throw new InputError(`The URL holds a #, which is no part of an address. ${ENCODING_HINT}`);
  if (url.search !== '') {
    throw new InputError(`The URL holds options after a ?, which are not understood. ${ENCODING_HINT}`);
  }
  return url;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InputError(`The URL holds a % that encodes nothing. ${ENCODING_HINT}`);
  }
}

/** `redis://user@host:port/db`: the whole address of a server, without the password. */
export function formatAddress(options: Omit<ConnectionOptions, 'password'>): string {
  const scheme = options.tls ? 'rediss' : 'redis';
  const user = options.username ? `${encodeURIComponent(options.username)}@` : '';
  return `${scheme}://${user}${formatHost(options)}/${options.database ?? 0}`;
}

/** `host:port`, with brackets around an IPv6 address. */
export function formatHost({ host, port }: Pick<ConnectionOptions, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
