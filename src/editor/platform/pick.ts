/** Quick picks that stand in for a selection when a command comes from the palette. */
import * as vscode from 'vscode';
import { InputError } from '../../base/errors';
import type { QueueAddress } from '../../keys/keys';
import type { JobState } from '../../keys/states';
import { COMMANDS } from '../contributions';
import { loadEngine } from './loadEngine';
import { showInfo, withProgress } from './notify';
import type { Connection, Services } from './services';
import { readSetting } from './settings';
import { hidePassword, oneLine, plainLabel } from './text';
import { requireWritable } from './writeLocks';

/** A queue on a connection. */
export interface QueueChoice {
  readonly connectionId: string;
  readonly address: QueueAddress;
}

/** One of some items. @throws vscode.CancellationError when the user leaves. */
export async function pickOne<T>(
  title: string,
  items: readonly (vscode.QuickPickItem & { value: T })[],
): Promise<T> {
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  if (!chosen) throw new vscode.CancellationError();
  return chosen.value;
}

/** What the picked thing is for: connections that are read-only are not offered for writing. */
export type Purpose = 'read' | 'write';

/**
 * The connection of an id, the only one there is, or the one the user picks.
 * @throws LockedError when it is for writing and the connection is read-only.
 */
export async function pickConnection(
  services: Services,
  id?: string,
  purpose: Purpose = 'read',
): Promise<Connection> {
  const { locks, connections } = services;
  const all = connections.list();
  const writable = purpose === 'write' ? all.filter((c) => locks.findLock(c) === undefined) : all;
  // Where none takes writes, the one that is picked says why, and what can be done.
  const list = writable.length > 0 ? writable : all;
  const known = all.find((c) => c.id === id) ?? (list.length === 1 ? list[0] : undefined);
  const connection = known ?? (await askForConnection(services, list));
  if (purpose === 'write') locks.requireUnlocked(connection);
  return connection;
}

async function askForConnection({ locks }: Services, list: readonly Connection[]): Promise<Connection> {
  if (list.length === 0) {
    const answer = await showInfo('There is no connection yet.', 'Add Connection');
    if (answer) await vscode.commands.executeCommand(COMMANDS.addConnection);
    throw new vscode.CancellationError();
  }
  const items = list.map((c) => {
    const words = [
      c.isProduction ? 'production' : '',
      locks.findLock(c) ? 'read-only' : '',
      hidePassword(c.url),
    ];
    const description = plainLabel(words.filter((word) => word !== '').join(' · '));
    return { label: plainLabel(c.name), description, value: c };
  });
  return pickOne('Connection', items);
}

/**
 * The queue of a node, or the one the user picks: the known ones at once, others after one bounded search.
 * @throws LockedError when it is for writing and its connection is read-only.
 */
export async function pickQueue(
  services: Services,
  chosen?: QueueChoice,
  purpose: Purpose = 'read',
): Promise<QueueChoice> {
  if (chosen) {
    if (purpose === 'write') requireWritable(services, chosen.connectionId);
    return chosen;
  }
  const connection = await pickConnection(services, undefined, purpose);
  const list = () => services.known.list(connection.id, connection.prefixes);
  if (list().length === 0) await searchQueues(services, connection);
  for (;;) {
    const queues = list();
    if (queues.length === 0) {
      const prefixes = connection.prefixes.map((prefix) => oneLine(prefix)).join(', ');
      throw new InputError(`No queue was found on ${connection.name} under ${prefixes}.`);
    }
    const items = queues.map((address): vscode.QuickPickItem & { value: QueueAddress | undefined } => ({
      label: plainLabel(address.queue),
      description: plainLabel(address.prefix),
      value: address,
    }));
    items.push({ label: '$(search) Look for other queues…', alwaysShow: true, value: undefined });
    const address = await pickOne(`Queue of ${oneLine(connection.name)}`, items);
    if (address) return { connectionId: connection.id, address };
    await searchQueues(services, connection);
  }
}

async function searchQueues({ connections, known }: Services, { id, prefixes }: Connection): Promise<void> {
  const executor = await connections.requireExecutor(id);
  const { discoverQueues } = await loadEngine();
  const maxKeys = readSetting('discovery.maxKeys');
  const { queues } = await withProgress('Looking for queues…', true, (_report, token) =>
    discoverQueues(executor, prefixes, { cancellation: token, maxKeys }),
  );
  await known.add(id, queues);
}

/** A job and the state it was seen in. */
export interface JobChoice {
  readonly id: string;
  readonly state: JobState;
}

/** One job of the given states, from the first page of each, or by an id that the user types. */
export async function pickJob(
  services: Services,
  queue: QueueChoice,
  states: readonly JobState[],
): Promise<JobChoice> {
  const executor = await services.connections.requireExecutor(queue.connectionId);
  const { Queue } = await loadEngine();
  const reader = new Queue(executor, queue.address);
  const name = oneLine(queue.address.queue);
  const items: (vscode.QuickPickItem & { value: JobChoice | undefined })[] = [];
  let total = 0;
  const window = { offset: 0, limit: 100 };
  for (const page of await Promise.all(states.map((state) => reader.readPage(state, window)))) {
    const { state } = page;
    total += page.total;
    for (const row of page.rows) {
      const detail = row.failedReason && 'text' in row.failedReason ? plainLabel(row.failedReason.text) : '';
      const description = `#${plainLabel(row.id)} · ${state}`;
      items.push({
        label: plainLabel(row.name ?? '(no name)'),
        description,
        detail,
        value: { id: row.id, state },
      });
    }
  }
  if (items.length === 0) throw new InputError(`${name} has no ${states.join(' or ')} job.`);
  const rest = total > items.length ? `the list shows ${items.length} of ${total}` : '';
  items.push({ label: '$(edit) Enter a job id…', description: rest, alwaysShow: true, value: undefined });
  const chosen = await pickOne(`Job of ${name}`, items);
  if (chosen) return chosen;
  const id = await vscode.window.showInputBox({
    title: `Job of ${name}`,
    prompt: 'Job id',
    ignoreFocusOut: true,
  });
  if (!id) throw new vscode.CancellationError();
  const state = (await reader.readJob(id))?.state;
  if (state && states.includes(state)) return { id, state };
  const where = state ? `is ${state}` : 'was found in no state';
  throw new InputError(`Job ${oneLine(id)} of ${name} ${where}; choose one that is ${states.join(' or ')}.`);
}
