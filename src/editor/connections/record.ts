/**
 * The stored form of a connection, as pure functions. An entry carries the version of the form it was written in:
 *
 * 1. (no version) name, URL, prefixes, and an id only when the extension wrote it;
 * 2. also `tls` and `sentinel`, and always an id.
 *
 * Reading takes every version. Entries are upgraded when the list is written anyway, never on their own, and an entry
 * of a newer version keeps its version and every field that is not known here.
 */
import { createHash } from 'node:crypto';
import { InputError } from '../../base/errors';
import { parseConnectionUrl } from '../../executor/connectionUrl';
import type { ConnectionOptions, SentinelOptions, TlsOptions } from '../../executor/options';
import { DEFAULT_PREFIXES, type StoredConnection, type StoredSentinel } from '../contributions';
import type { Connection } from '../platform/services';

export const RECORD_VERSION = 2;

/** What of a connection lies in the secret storage. */
export interface Secrets {
  readonly password: string | undefined;
  readonly sentinelPassword: string | undefined;
}

const TLS_TEXTS = ['caFile', 'certFile', 'keyFile', 'servername'] as const;
const TLS_FIELDS: readonly string[] = [...TLS_TEXTS, 'rejectUnauthorized'];
const SENTINEL_FIELDS: readonly string[] = ['username', 'tls'];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Settings are written by hand as well: an entry without a name or a URL is no connection. */
export const isUsable = (entry: unknown): entry is StoredConnection =>
  isObject(entry) && typeof entry.name === 'string' && typeof entry.url === 'string';

/** An entry written by hand has no id: one is derived from its name, so that it stays the same between windows. */
const deriveId = (entry: StoredConnection): string =>
  entry.id ?? `by-name-${createHash('sha1').update(entry.name).digest('hex').slice(0, 12)}`;

/** The id of each entry, and nothing for what is none. A second entry of the same name or id is one of its own. */
export function identify(entries: readonly unknown[]): (string | undefined)[] {
  const seen = new Set<string>();
  return entries.map((entry) => {
    if (!isUsable(entry)) return undefined;
    const first = deriveId(entry);
    let id = first;
    for (let count = 2; seen.has(id); count += 1) id = `${first}-${count}`;
    seen.add(id);
    return id;
  });
}

/** The connection that an entry describes; fields of the wrong type are as if they were not there. */
export function readEntry(entry: StoredConnection, id: string): Connection {
  const prefixes = Array.isArray(entry.prefixes) ? entry.prefixes.filter(isText) : [];
  const inUrl = findOptions(entry.url);
  const tls = { ...(isObject(inUrl?.tls) ? inUrl.tls : {}), ...readTls(entry.tls) };
  const sentinel = readSentinel(entry.sentinel);
  return {
    id,
    name: entry.name,
    url: entry.url,
    prefixes: prefixes.length > 0 ? prefixes : DEFAULT_PREFIXES,
    ...(isEmpty(tls) ? {} : { tls }),
    ...(isEmpty(sentinel) ? {} : { sentinel }),
    // Whatever else than false stands there was meant to say so.
    ...((entry.readOnly ?? false) !== false && { isReadOnly: true }),
    ...(entry.label === 'production' && { isProduction: true }),
  };
}

/** The list with a connection added, or in the place of the entry of the same id, whose other fields are kept. */
export function writeEntry(entries: readonly unknown[], connection: Connection): StoredConnection[] {
  const ids = identify(entries);
  const written = entries.map((entry, i) => upgrade(entry as StoredConnection, ids[i]));
  const index = ids.indexOf(connection.id);
  const before = index < 0 ? undefined : written[index];
  const { tls: _, sentinel: __, ...others } = before ?? {};
  const { id, name, url, prefixes } = connection;
  const tls = merge(before?.tls, TLS_FIELDS, connection.tls);
  const sentinel = merge(before?.sentinel, SENTINEL_FIELDS, connection.sentinel);
  const entry: StoredConnection = {
    ...others,
    ...{ version: Math.max(RECORD_VERSION, before?.version ?? 0), id, name, url, prefixes },
    ...(tls && { tls }),
    ...(sentinel && { sentinel }),
  };
  return index < 0 ? [...written, entry] : written.with(index, entry);
}

/** An entry in the current form; a newer one, and what is none, as it is. */
function upgrade(entry: StoredConnection, id: string | undefined): StoredConnection {
  if (id === undefined) return entry;
  const version = typeof entry.version === 'number' ? entry.version : 1;
  // From 1 to 2: a derived id is written down, so that another name does not lose the password.
  return version < 2 ? { ...entry, version: RECORD_VERSION, id } : entry;
}

/** The known fields as they are now, and of those there before the ones that are not known. */
function merge(before: unknown, known: readonly string[], now: object | undefined): object | undefined {
  const kept = Object.entries(isObject(before) ? before : {}).filter(([name]) => !known.includes(name));
  const merged = { ...now, ...Object.fromEntries(kept) };
  return isEmpty(merged) ? undefined : merged;
}

/** How to reach the server. @throws InputError for a URL that cannot be read. */
export function toOptions(
  { url, tls, sentinel }: Pick<Connection, 'url' | 'tls' | 'sentinel'>,
  { password, sentinelPassword }: Secrets,
): ConnectionOptions {
  const parsed = parseConnectionUrl(url);
  const secret = password ?? parsed.password;
  const sentinelSecret = sentinelPassword ?? parsed.sentinelPassword;
  const common = {
    ...parsed.options,
    ...(parsed.options.tls && tls && { tls }),
    ...(secret !== undefined && { password: secret }),
  };
  if (!('sentinel' in common)) return common;
  const named = { ...common.sentinel, ...sentinel };
  return {
    ...common,
    sentinel: { ...named, ...(sentinelSecret !== undefined && { password: sentinelSecret }) },
  };
}

/** True where the settings hold a password in plain text. */
export function hasPassword(url: string): boolean {
  const parsed = find(() => parseConnectionUrl(url));
  return parsed?.password !== undefined || parsed?.sentinelPassword !== undefined;
}

/** What a URL says; one written by hand may be none. */
export const findOptions = (url: string) => find(() => parseConnectionUrl(url))?.options;

function find<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (InputError.is(error)) return undefined;
    throw error;
  }
}

function readTls(value: unknown): TlsOptions {
  if (!isObject(value)) return {};
  const texts = TLS_TEXTS.flatMap((name) => (isText(value[name]) ? [[name, value[name]] as const] : []));
  // Only a plain false switches the check off: anything else is taken for a mistake.
  const check = value.rejectUnauthorized === false ? { rejectUnauthorized: false } : {};
  return { ...Object.fromEntries(texts), ...check };
}

function readSentinel(value: unknown): StoredSentinel {
  if (!isObject(value)) return {};
  return {
    ...(isText(value.username) && { username: value.username }),
    ...(typeof value.tls === 'boolean' && { tls: value.tls }),
  };
}

/** What of the sentinels is stored beside the URL, which has no room for it. */
export const toStoredSentinel = ({ username, tls }: SentinelOptions): StoredSentinel => ({
  ...(username !== undefined && { username }),
  ...(tls !== undefined && { tls }),
});

const isEmpty = (object: object) => Object.keys(object).length === 0;

/**
 * Whom a password was given for. It is sent nowhere else: another entry of the same id, as the settings of a folder may
 * hold one, does not get it.
 */
export function describePlace({ url, tls, sentinel }: Omit<Connection, 'id' | 'name' | 'prefixes'>): string {
  const { protocol, host, username, pathname } = URL.canParse(url) ? new URL(url) : { pathname: url };
  const socket = host === '' || host === undefined ? pathname : '';
  return JSON.stringify([protocol, username, host, socket, tls, sentinel]);
}
