/** Quick picks that stand in for a selection when a command comes from the palette. */
import * as vscode from 'vscode';
import { InputError } from '../../base/errors';
import type { QueueAddress } from '../../keys/keys';
import type { JobState } from '../../keys/states';
import { COMMANDS } from '../contributions';
import { showInfo, withProgress } from './notify';
import type { Connection, Services } from './services';
import { hidePassword, oneLine, plainLabel } from './text';

/** A queue on a connection. */
export interface QueueChoice {
  readonly connectionId: string;
  readonly address: QueueAddress;
}

async function pick<T>(title: string, items: readonly (vscode.QuickPickItem & { value: T })[]): Promise<T> {
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  if (!chosen) throw new vscode.CancellationError();
  return chosen.value;
}

/** The connection of an id, the only one there is, or the one the user picks. */
export async function pickConnection(services: Services, id?: string): Promise<Connection> {
  const list = services.connections.list();
  const known = list.find((c) => c.id === id) ?? (list.length === 1 ? list[0] : undefined);
  if (known) return known;
  if (list.length === 0) {
    const answer = await showInfo('There is no connection yet.', 'Add Connection');
    if (answer) await vscode.commands.executeCommand(COMMANDS.addConnection);
    throw new vscode.CancellationError();
  }
  return pick(
    'Connection',
    list.map((c) => ({ label: plainLabel(c.name), description: hidePassword(c.url), value: c })),
  );
}

/** The queue of a node, or the one the user picks; queues come from one bounded search. */
export async function pickQueue(services: Services, known?: QueueChoice): Promise<QueueChoice> {
  if (known) return known;
  const connection = await pickConnection(services);
  const executor = await services.connections.requireExecutor(connection.id);
  const { discoverQueues } = await import('../../queue/discovery');
  const { queues } = await withProgress('Looking for queues…', true, (_report, token) =>
    discoverQueues(executor, connection.prefixes, { cancellation: token }),
  );
  if (queues.length === 0) {
    throw new InputError(`No queue was found on ${connection.name} under ${connection.prefixes.join(', ')}.`);
  }
  const items = queues.map((address) => ({
    label: plainLabel(address.queue),
    description: plainLabel(address.prefix),
    value: address,
  }));
  return { connectionId: connection.id, address: await pick('Queue', items) };
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
  const { Queue } = await import('../../queue/queue');
  const reader = new Queue(executor, queue.address);
  const name = oneLine(queue.address.queue);
  const items: (vscode.QuickPickItem & { value: JobChoice | undefined })[] = [];
  let total = 0;
  for (const state of states) {
    const page = await reader.readPage(state, { offset: 0, limit: 100 });
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
  const chosen = await pick(`Job of ${name}`, items);
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
