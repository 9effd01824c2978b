/** Asks for a connection step by step. Escape at any step leaves everything as it was. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { InputError } from '../../base/errors';
import { formatPlace } from '../../executor/address';
import { DEFAULT_PORT, DEFAULT_SENTINEL_PORT, parseConnectionUrl } from '../../executor/connectionUrl';
import { DEFAULT_PREFIXES } from '../contributions';
import type { Connection } from '../platform/services';
import { plainLabel } from '../platform/text';
import { type Answers, runWizard, type Steps, type TextStep } from '../platform/wizard';
import {
  type ConnectionDraft,
  findPrefixesProblem,
  printNodes,
  type Question,
  readAddress,
  readDraft,
  readNodes,
  type Way,
} from './answers';
import { findOptions, type Secrets } from './record';

type Given = Answers<Question>;

const WAYS: readonly { label: string; description: string; value: Way }[] = [
  { label: '$(link) By URL', description: 'redis://localhost:6379', value: 'url' },
  { label: '$(list-flat) Step by step', description: 'host, port, database, user, TLS', value: 'steps' },
  { label: '$(plug) Unix socket', description: '/run/redis.sock', value: 'socket' },
  {
    label: '$(eye) Behind Sentinel',
    description: 'sentinels and the name of the primary',
    value: 'sentinel',
  },
];

const NO_TLS = { label: 'No TLS', value: 'no' };
const TLS = [
  { label: 'TLS', description: 'The server shows a certificate that this machine trusts', value: 'yes' },
  {
    label: 'TLS with own files',
    description: 'An authority of your own, a client certificate, or another server name',
    value: 'custom',
  },
];

const CHECK = [
  { label: 'Check the certificate of the server', description: 'Recommended', value: 'yes' },
  {
    label: '$(warning) Do not check the certificate',
    description: 'Insecure: whoever stands in between can read and change everything',
    value: 'no',
  },
];

/**
 * @param known the connection being edited, or nothing for a new one.
 * @param secrets its stored passwords; an unchanged mask keeps one.
 * @throws vscode.CancellationError when the user leaves.
 */
export async function askForConnection(known?: Connection, secrets?: Secrets): Promise<ConnectionDraft> {
  const title = known ? `Edit connection ${plainLabel(known.name)}` : 'Add connection';
  return readDraft(await runWizard(title, makeSteps(known, secrets)), known?.sentinel);
}

function makeSteps(known?: Connection, secrets?: Secrets): Steps<Question> {
  return [
    ...placeSteps(known),
    ...sentinelSteps(known, secrets),
    ...userSteps(known),
    ...tlsSteps(known),
    [
      'password',
      (answers) =>
        readAddress(answers).password === undefined
          ? {
              prompt: 'Password (empty: none). It is kept in the secret storage of the editor.',
              value: secrets?.password ?? '',
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
        value: known?.name ?? suggestName(answers),
        validate: (v) => (v.trim() === '' ? 'A name must not be empty.' : undefined),
      }),
    ],
  ];
}

/** Asks only those who chose one of these ways. */
const forWays =
  (ways: readonly Way[], make: () => TextStep) =>
  ({ way }: Given) =>
    ways.some((one) => one === way) ? make() : undefined;

function placeSteps(known?: Connection): Steps<Question> {
  const before = known && findOptions(known.url);
  const server = before && 'host' in before ? before : undefined;
  return [
    ['way', () => ({ placeHolder: 'How do you want to say where Redis is?', items: WAYS })],
    [
      'url',
      forWays(['url'], () => ({
        prompt: 'URL of the server. A password in it goes to the secret storage.',
        value: known?.url ?? 'redis://localhost:6379',
        validate: findProblemOf(parseConnectionUrl),
      })),
    ],
    [
      'host',
      forWays(['steps'], () => ({
        prompt: 'Host',
        value: server?.host ?? 'localhost',
        validate: (v) => (/^[^/@\s?#]+$/.test(v.trim()) ? undefined : 'A host is a name or an address.'),
      })),
    ],
    [
      'port',
      forWays(['steps'], () => ({
        prompt: 'Port',
        value: `${server?.port ?? DEFAULT_PORT}`,
        validate: (v) => (isWhole(v, 1, 65535) ? undefined : 'A port is a number from 1 to 65535.'),
      })),
    ],
    [
      'socketPath',
      forWays(['socket'], () => ({
        prompt: 'Path of the Unix socket, on the machine where the extension runs',
        value: before && 'socketPath' in before ? before.socketPath : '/run/redis/redis.sock',
        validate: (v) => (isAbsolute(v.trim()) ? undefined : 'The path must be a full one.'),
      })),
    ],
  ];
}

function sentinelSteps(known?: Connection, secrets?: Secrets): Steps<Question> {
  const before = known && findOptions(known.url);
  const sentinel = before && 'sentinel' in before ? before.sentinel : undefined;
  const whereAsked = (field: 'username' | 'sentinelPassword', make: () => TextStep) => (answers: Given) => {
    if (answers.way !== 'url') return answers.way === 'sentinel' ? make() : undefined;
    const parsed = parseConnectionUrl(answers.url ?? '');
    if (!('sentinel' in parsed.options)) return undefined;
    const inUrl = field === 'username' ? parsed.options.sentinel.username : parsed.sentinelPassword;
    return inUrl === undefined ? make() : undefined;
  };
  return [
    [
      'sentinels',
      forWays(['sentinel'], () => ({
        prompt: `Sentinels, separated by commas: host:port. The port may be left out (${DEFAULT_SENTINEL_PORT}).`,
        value: sentinel ? printNodes(sentinel.nodes) : `localhost:${DEFAULT_SENTINEL_PORT}`,
        validate: findProblemOf(readNodes),
      })),
    ],
    [
      'master',
      forWays(['sentinel'], () => ({
        prompt: 'Name of the primary, as the sentinels know it',
        value: sentinel?.master ?? 'mymaster',
        validate: (v) => (v.trim() === '' ? 'A name must not be empty.' : undefined),
      })),
    ],
    [
      'sentinelUsername',
      whereAsked('username', () => ({
        prompt: 'User name for the sentinels (empty: the default user)',
        value: known?.sentinel?.username ?? '',
      })),
    ],
    [
      'sentinelPassword',
      whereAsked('sentinelPassword', () => ({
        prompt: 'Password for the sentinels (empty: none). It is kept in the secret storage of the editor.',
        value: secrets?.sentinelPassword ?? '',
        isSecret: true,
      })),
    ],
  ];
}

function userSteps(known?: Connection): Steps<Question> {
  const before = known && findOptions(known.url);
  const ways: readonly Way[] = ['steps', 'socket', 'sentinel'];
  return [
    [
      'database',
      forWays(ways, () => ({
        prompt: 'Database',
        value: `${before?.database ?? 0}`,
        validate: (v) => (isWhole(v, 0, 99999) ? undefined : 'A database is a number; the first is 0.'),
      })),
    ],
    [
      'username',
      forWays(ways, () => ({
        prompt: 'User name (empty: the default user)',
        value: before?.username ?? '',
      })),
    ],
  ];
}

function tlsSteps(known?: Connection): Steps<Question> {
  const before = known && findOptions(known.url);
  const tls = known?.tls;
  const choice = before?.tls ? (tls ? 'custom' : 'yes') : 'no';
  const ifCustom = (make: (answers: Given) => TextStep | undefined) => (answers: Given) =>
    answers.tls === 'custom' ? make(answers) : undefined;
  const askFile = (prompt: string, value: string | undefined) => ({
    prompt,
    value: value ?? '',
    placeHolder: '/path/to/file.pem',
    validate: findFileProblem,
  });
  return [
    [
      'tls',
      (answers) => {
        if (answers.way === 'socket') return undefined;
        const placeHolder = 'Is the connection encrypted?';
        if (answers.way !== 'url') return { placeHolder, items: [NO_TLS, ...TLS], value: choice };
        // A URL says itself whether TLS is used, and may say everything about it.
        const inUrl = parseConnectionUrl(answers.url ?? '').options.tls;
        return inUrl === true
          ? { placeHolder: 'Which certificates are used?', items: TLS, value: choice }
          : undefined;
      },
    ],
    [
      'caFile',
      ifCustom(() => askFile('PEM file of the authority (empty: those this machine trusts)', tls?.caFile)),
    ],
    ['certFile', ifCustom(() => askFile('PEM file of your client certificate (empty: none)', tls?.certFile))],
    [
      'keyFile',
      ifCustom(({ certFile }) =>
        certFile?.trim()
          ? {
              ...askFile('PEM file of the key of your client certificate', tls?.keyFile),
              validate: (v) => (v.trim() === '' ? 'A client certificate needs its key.' : findFileProblem(v)),
            }
          : undefined,
      ),
    ],
    [
      'servername',
      ifCustom(() => ({
        prompt: 'Name that the certificate of the server holds (empty: the host)',
        value: tls?.servername ?? '',
      })),
    ],
    [
      'check',
      ({ tls: chosen }) =>
        chosen === 'custom'
          ? {
              placeHolder: 'May the server show any certificate?',
              items: CHECK,
              value: tls?.rejectUnauthorized === false ? 'no' : 'yes',
            }
          : undefined,
    ],
  ];
}

function suggestName(answers: Given): string {
  const { options } = readAddress(answers);
  return 'sentinel' in options ? options.sentinel.master : formatPlace(options);
}

function findFileProblem(text: string): string | undefined {
  const path = text.trim();
  if (path === '') return undefined;
  const full = path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
  if (!isAbsolute(full)) return 'The path must be a full one, or begin with ~/.';
  return existsSync(full) ? undefined : 'There is no such file on the machine where the extension runs.';
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
