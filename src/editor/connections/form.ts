/** Asks for a connection step by step. Escape at any step leaves everything as it was. */
import * as vscode from 'vscode';
import { InputError } from '../../base/errors';
import { DEFAULT_PREFIXES } from '../contributions';
import type { Connection } from '../platform/services';

export interface ConnectionDraft {
  readonly name: string;
  readonly url: string;
  readonly prefixes: readonly string[];
  readonly password: string | undefined;
}

interface Step {
  readonly prompt: string;
  readonly value?: string;
  readonly placeHolder?: string;
  readonly password?: boolean;
  readonly validate?: (value: string) => string | undefined;
}

async function ask(title: string, step: Step): Promise<string> {
  const value = await vscode.window.showInputBox({
    title,
    prompt: step.prompt,
    ignoreFocusOut: true,
    ...(step.value !== undefined && { value: step.value }),
    ...(step.placeHolder !== undefined && { placeHolder: step.placeHolder }),
    ...(step.password && { password: true }),
    ...(step.validate && { validateInput: step.validate }),
  });
  if (value === undefined) throw new vscode.CancellationError();
  return value;
}

const findUrlProblem = (parse: (url: string) => unknown) => (url: string) => {
  try {
    parse(url);
    return undefined;
  } catch (error) {
    if (InputError.is(error)) return error.message;
    throw error;
  }
};

const findPortProblem = (text: string) =>
  /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65536
    ? undefined
    : 'A port is a number from 1 to 65535.';

/**
 * @param known the connection being edited, or nothing for a new one.
 * @param knownPassword its stored password; an unchanged mask keeps it.
 * @throws vscode.CancellationError when the user leaves.
 */
export async function askForConnection(known?: Connection, knownPassword?: string): Promise<ConnectionDraft> {
  const { parseConnectionUrl, formatAddress } = await import('../../executor/address');
  const title = known ? `Edit connection ${known.name}` : 'Add connection';
  const way = await vscode.window.showQuickPick(
    [
      { label: '$(link) By URL', description: 'redis://localhost:6379', byUrl: true },
      { label: '$(list-flat) Step by step', description: 'host, port, database, user, TLS', byUrl: false },
    ],
    { title, placeHolder: 'How do you want to say where Redis is?', ignoreFocusOut: true },
  );
  if (!way) throw new vscode.CancellationError();

  let text: string;
  if (way.byUrl) {
    text = await ask(title, {
      prompt: 'URL of the server. A password in it goes to the secret storage.',
      value: known?.url ?? 'redis://localhost:6379',
      validate: findUrlProblem(parseConnectionUrl),
    });
  } else {
    const before = known ? parseConnectionUrl(known.url).options : undefined;
    const host = await ask(title, {
      prompt: 'Host',
      value: before?.host ?? 'localhost',
      validate: (v) =>
        v.trim() === '' || /[/@\s]/.test(v.trim()) ? 'A host is a name or an address.' : undefined,
    });
    const port = await ask(title, {
      prompt: 'Port',
      value: `${before?.port ?? 6379}`,
      validate: findPortProblem,
    });
    const database = await ask(title, {
      prompt: 'Database',
      value: `${before?.database ?? 0}`,
      validate: (v) => (/^\d{1,5}$/.test(v) ? undefined : 'A database is a number; the first is 0.'),
    });
    const username = await ask(title, {
      prompt: 'User name (empty: the default user)',
      value: before?.username ?? '',
    });
    const tls = await vscode.window.showQuickPick(['No TLS', 'TLS'], { title, ignoreFocusOut: true });
    if (!tls) throw new vscode.CancellationError();
    text = formatAddress({
      host: host.trim(),
      port: Number(port),
      ...(Number(database) > 0 && { database: Number(database) }),
      ...(username !== '' && { username }),
      ...(tls === 'TLS' && { tls: true }),
    });
  }
  const parsed = parseConnectionUrl(text);
  const url = formatAddress(parsed.options);
  const password =
    parsed.password ??
    (await ask(title, {
      prompt: 'Password (empty: none). It is kept in the secret storage of the editor.',
      value: knownPassword ?? '',
      password: true,
    }));
  const prefixes = await ask(title, {
    prompt: 'Key prefixes, separated by commas. EchoMQ writes under emq, BullMQ under bull.',
    value: (known?.prefixes ?? DEFAULT_PREFIXES).join(', '),
    validate: (v) =>
      splitPrefixes(v).length > 0 ? undefined : 'At least one prefix is needed, for example emq.',
  });
  const name = await ask(title, {
    prompt: 'Name of the connection',
    value: known?.name ?? `${parsed.options.host}:${parsed.options.port}`,
    validate: (v) => (v.trim() === '' ? 'A name must not be empty.' : undefined),
  });
  return {
    name: name.trim(),
    url,
    prefixes: splitPrefixes(prefixes),
    password: password === '' ? undefined : password,
  };
}

const splitPrefixes = (text: string) => [
  ...new Set(
    text
      .split(',')
      .map((p) => p.trim().replace(/:+$/, ''))
      .filter((p) => p !== ''),
  ),
];
