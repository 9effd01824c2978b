/** What the answers of the form say, as pure functions; the form itself asks. */
import { formatAddress, formatNodes } from '../../executor/address';
import { type ParsedConnectionUrl, parseConnectionUrl, parseNodes } from '../../executor/connectionUrl';
import type { HostPort, Target, TlsOptions } from '../../executor/options';
import { findPrefixProblem } from '../../keys/keys';
import type { StoredSentinel } from '../contributions';
import type { Answers } from '../platform/wizard';
import { type Secrets, toStoredSentinel } from './record';

export type Question =
  | 'way'
  | 'url'
  | 'host'
  | 'port'
  | 'socketPath'
  | 'sentinels'
  | 'master'
  | 'sentinelUsername'
  | 'sentinelPassword'
  | 'database'
  | 'username'
  /** `no`, `yes` for TLS as the machine trusts, `custom` for TLS with the answers that follow. */
  | 'tls'
  | 'caFile'
  | 'certFile'
  | 'keyFile'
  | 'servername'
  | 'check'
  | 'password'
  | 'prefixes'
  | 'name';

/** How the user says where Redis is. */
export type Way = 'url' | 'steps' | 'socket' | 'sentinel';

/** A connection as the user described it, not stored yet. */
export interface ConnectionDraft {
  readonly name: string;
  readonly url: string;
  readonly prefixes: readonly string[];
  readonly tls?: TlsOptions;
  readonly sentinel?: StoredSentinel;
  readonly secrets: Secrets;
}

type Given = Answers<Question>;

/**
 * The connection that all answers together describe.
 * @param known what was stored of the sentinels before: nobody is asked whether they speak TLS.
 * @throws InputError for a URL that cannot be read.
 */
export function readDraft(answers: Given, known: StoredSentinel = {}): ConnectionDraft {
  const { options, password, sentinelPassword } = readAddress(answers);
  const kept = known.tls === undefined ? {} : { tls: known.tls };
  const sentinel = 'sentinel' in options ? { ...kept, ...toStoredSentinel(options.sentinel) } : undefined;
  return {
    name: (answers.name ?? '').trim(),
    url: formatAddress(options),
    prefixes: splitPrefixes(answers.prefixes ?? ''),
    ...(typeof options.tls === 'object' && { tls: options.tls }),
    ...(sentinel && { sentinel }),
    secrets: {
      password: emptyToUndefined(password ?? answers.password),
      sentinelPassword: sentinel && emptyToUndefined(sentinelPassword ?? answers.sentinelPassword),
    },
  };
}

/** What the answers so far say about the server. */
export function readAddress(answers: Given): ParsedConnectionUrl {
  if (answers.way === 'url') {
    const parsed = parseConnectionUrl(answers.url ?? '');
    const { options } = parsed;
    const tls = options.tls === true ? readTls(answers) : options.tls;
    if (!('sentinel' in options)) return { ...parsed, options: { ...options, tls: tls ?? false } };
    const sentinel = { ...readSentinelUser(answers), ...options.sentinel };
    return { ...parsed, options: { ...options, tls: tls ?? false, sentinel } };
  }
  const { database, username = '', tls } = answers;
  const user = username.trim();
  return {
    options: {
      ...readTarget(answers),
      database: Number(database ?? 0),
      ...(user !== '' && { username: user }),
      tls: tls === 'yes' || tls === 'custom' ? readTls(answers) : false,
    },
  };
}

function readTarget(answers: Given): Target {
  if (answers.way === 'socket') return { socketPath: (answers.socketPath ?? '').trim() };
  if (answers.way === 'sentinel') {
    const master = (answers.master ?? '').trim();
    const nodes = readNodes(answers.sentinels ?? '');
    return { sentinel: { master, nodes, ...readSentinelUser(answers) } };
  }
  const host = (answers.host ?? '').trim().replace(/^\[(.*)\]$/, '$1');
  return { host, port: Number(answers.port) };
}

function readSentinelUser({ sentinelUsername = '' }: Given): { username?: string } {
  return sentinelUsername.trim() === '' ? {} : { username: sentinelUsername.trim() };
}

/** True, or what was answered beyond it. */
function readTls(answers: Given): true | TlsOptions {
  if (answers.tls !== 'custom') return true;
  const texts = (['caFile', 'certFile', 'keyFile', 'servername'] as const).flatMap((name) => {
    const text = (answers[name] ?? '').trim();
    return text === '' ? [] : [[name, text] as const];
  });
  const tls: TlsOptions = {
    ...Object.fromEntries(texts),
    ...(answers.check === 'no' && { rejectUnauthorized: false }),
  };
  return Object.keys(tls).length === 0 ? true : tls;
}

/** The sentinels as they are typed: separated by commas. @throws InputError */
export const readNodes = (text: string): HostPort[] => parseNodes(text);

export const printNodes = (nodes: readonly HostPort[]): string => formatNodes(nodes).replaceAll(',', ', ');

/** The sentence that says what is wrong with a list of prefixes, or `undefined`. */
export function findPrefixesProblem(text: string): string | undefined {
  const prefixes = splitPrefixes(text);
  if (prefixes.length === 0) return 'At least one prefix is needed, for example emq.';
  return prefixes.map(findPrefixProblem).find((problem) => problem !== undefined);
}

const splitPrefixes = (text: string) => [
  ...new Set(
    text
      .split(',')
      .map((prefix) => prefix.trim().replace(/:+$/, ''))
      .filter((prefix) => prefix !== ''),
  ),
];

const emptyToUndefined = (text: string | undefined) => (text === '' ? undefined : text);
