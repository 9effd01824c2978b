/** Asks for a connection step by step. Escape at any step leaves everything as it was. */
import { InputError } from '../../base/errors';
import { formatAddress, formatPlace } from '../../executor/address';
import { type ParsedConnectionUrl, parseConnectionUrl } from '../../executor/connectionUrl';
import { findPrefixProblem } from '../../keys/keys';
import { DEFAULT_PREFIXES } from '../contributions';
import type { Connection } from '../platform/services';
import { plainLabel } from '../platform/text';
import { type Answers, runWizard, type Steps } from '../platform/wizard';

/** A connection as the user described it, not stored yet. */
export interface ConnectionDraft {
  readonly name: string;
  readonly url: string;
  readonly prefixes: readonly string[];
  readonly password: string | undefined;
}

type Question =
  | 'way'
  | 'url'
  | 'host'
  | 'port'
  | 'database'
  | 'username'
  | 'tls'
  | 'password'
  | 'prefixes'
  | 'name';

const WAYS = [
  { label: '$(link) By URL', description: 'redis://localhost:6379', value: 'url' },
  { label: '$(list-flat) Step by step', description: 'host, port, database, user, TLS', value: 'steps' },
];

const TLS = [
  { label: 'No TLS', value: 'no' },
  { label: 'TLS', description: 'The server shows a certificate that this machine trusts', value: 'yes' },
];

/**
 * @param known the connection being edited, or nothing for a new one.
 * @param knownPassword its stored password; an unchanged mask keeps it.
 * @throws vscode.CancellationError when the user leaves.
 */
export async function askForConnection(known?: Connection, knownPassword?: string): Promise<ConnectionDraft> {
  const title = known ? `Edit connection ${plainLabel(known.name)}` : 'Add connection';
  const answers = await runWizard(title, makeSteps(known, knownPassword));
  const { options, password } = readAddress(answers);
  const secret = password ?? answers.password ?? '';
  return {
    name: (answers.name ?? '').trim(),
    url: formatAddress(options),
    prefixes: splitPrefixes(answers.prefixes ?? ''),
    password: secret === '' ? undefined : secret,
  };
}

function makeSteps(known?: Connection, knownPassword?: string): Steps<Question> {
  const before = known && findAddress(known.url);
  const server = before && 'host' in before.options ? before.options : undefined;
  const whenStep =
    <S>(make: () => S) =>
    ({ way }: Answers<Question>) =>
      way === 'steps' ? make() : undefined;
  return [
    ['way', () => ({ placeHolder: 'How do you want to say where Redis is?', items: WAYS })],
    [
      'url',
      ({ way }) =>
        way === 'url'
          ? {
              prompt: 'URL of the server. A password in it goes to the secret storage.',
              value: known?.url ?? 'redis://localhost:6379',
              validate: findProblemOf(parseConnectionUrl),
            }
          : undefined,
    ],
    [
      'host',
      whenStep(() => ({
        prompt: 'Host',
        value: server?.host ?? 'localhost',
        validate: (v) => (/^[^/@\s?#]+$/.test(v.trim()) ? undefined : 'A host is a name or an address.'),
      })),
    ],
    [
      'port',
      whenStep(() => ({
        prompt: 'Port',
        value: `${server?.port ?? 6379}`,
        validate: (v) => (isWhole(v, 1, 65535) ? undefined : 'A port is a number from 1 to 65535.'),
      })),
    ],
    [
      'database',
      whenStep(() => ({
        prompt: 'Database',
        value: `${before?.options.database ?? 0}`,
        validate: (v) => (isWhole(v, 0, 99999) ? undefined : 'A database is a number; the first is 0.'),
      })),
    ],
    [
      'username',
      whenStep(() => ({
        prompt: 'User name (empty: the default user)',
        value: before?.options.username ?? '',
      })),
    ],
    [
      'tls',
      whenStep(() => ({
        placeHolder: 'Is the connection encrypted?',
        items: TLS,
        value: before?.options.tls ? 'yes' : 'no',
      })),
    ],
    [
      'password',
      (answers) =>
        readAddress(answers).password === undefined
          ? {
              prompt: 'Password (empty: none). It is kept in the secret storage of the editor.',
              value: knownPassword ?? '',
              isSecret: true,
            }
          : undefined,
    ],
    [
      'prefixes',
      () => ({
        prompt: 'Key prefixes, separated by commas. EchoMQ writes under emq, BullMQ under bull.',
        value: (known?.prefixes ?? DEFAULT_PREFIXES).join(', '),
        validate: findPrefixesProblem,
      }),
    ],
    [
      'name',
      (answers) => ({
        prompt: 'Name of the connection',
        value: known?.name ?? formatPlace(readAddress(answers).options),
        validate: (v) => (v.trim() === '' ? 'A name must not be empty.' : undefined),
      }),
    ],
  ];
}

/** What the answers so far say about the server. */
function readAddress(answers: Answers<Question>): ParsedConnectionUrl {
  if (answers.way === 'url') return parseConnectionUrl(answers.url ?? '');
  const { host = '', port, database, username = '', tls } = answers;
  return {
    options: {
      host: host.trim().replace(/^\[(.*)\]$/, '$1'),
      port: Number(port),
      database: Number(database),
      ...(username !== '' && { username }),
      tls: tls === 'yes',
    },
  };
}

/** What a stored URL says; one written by hand may be none. */
function findAddress(url: string): ParsedConnectionUrl | undefined {
  try {
    return parseConnectionUrl(url);
  } catch {
    return undefined;
  }
}

const findProblemOf = (parse: (text: string) => unknown) => (text: string) => {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    if (InputError.is(error)) return error.message;
    throw error;
  }
};

const isWhole = (text: string, min: number, max: number) =>
  /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max;

function findPrefixesProblem(text: string): string | undefined {
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
