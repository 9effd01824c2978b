/** Adding, editing and removing connections. */
import * as vscode from 'vscode';
import { formatAddress } from '../../executor/address';
import { parseConnectionUrl } from '../../executor/connectionUrl';
import { COMMANDS } from '../contributions';
import { describeError, registerCommand } from '../platform/commands';
import { loadEngine } from '../platform/loadEngine';
import type { ConnectionNode } from '../platform/nodes';
import { confirm, showWarning, withProgress } from '../platform/notify';
import { pickConnection, pickOne } from '../platform/pick';
import type { PoolSafety, Services } from '../platform/services';
import { plainLabel } from '../platform/text';
import type { ConnectionDraft } from './answers';
import { askForConnection } from './form';
import { ConnectionPool } from './pool';
import { hasPassword, toStoredSentinel } from './record';
import { ConnectionStore } from './store';

const LABELS = [
  {
    label: '$(flame) Production',
    description: 'coloured in the tree; what destroys jobs wants the name of the queue typed',
    value: 'production' as const,
  },
  { label: 'No label', value: undefined },
];

/** The stored connections and the sockets behind them; nothing is opened yet. */
export function createConnections(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  safety: PoolSafety,
): { store: ConnectionStore; pool: ConnectionPool } {
  const store = new ConnectionStore(context.secrets);
  return { store, pool: new ConnectionPool(store, context.extensionPath, log, safety) };
}

/** Registers the commands of connections. */
export function registerConnections(services: Services, store: ConnectionStore, pool: ConnectionPool): void {
  const { log, context } = services;

  const save = async (draft: ConnectionDraft, id?: string) => {
    const problem = await tryConnection(pool, draft);
    if (problem !== undefined) {
      if (!(await confirm(problem, 'Save Anyway'))) throw new vscode.CancellationError();
    }
    const { secrets, ...connection } = draft;
    const saved = await store.save({ ...connection, ...(id !== undefined && { id }) }, secrets);
    await pool.drop(saved);
    pool.announce();
  };

  context.subscriptions.push(
    registerCommand(log, COMMANDS.addConnection, async () => save(await askForConnection())),
    registerCommand(log, COMMANDS.editConnection, async (node?: ConnectionNode) => {
      const connection = await pickConnection(services, node?.connectionId);
      await save(await askForConnection(connection, await store.readSecrets(connection)), connection.id);
    }),
    registerCommand(log, COMMANDS.removeConnection, async (node?: ConnectionNode) => {
      const connection = await pickConnection(services, node?.connectionId);
      const question = `Remove the connection "${connection.name}"? Nothing in Redis changes.`;
      if (!(await confirm(question, 'Remove'))) return;
      await store.remove(connection.id);
      await services.known.forget(connection.id);
      await pool.drop(connection.id);
      pool.announce();
    }),
    registerCommand(log, COMMANDS.labelConnection, async (node?: ConnectionNode) => {
      const connection = await pickConnection(services, node?.connectionId);
      await store.label(connection.id, await pickOne(`Label of ${plainLabel(connection.name)}`, LABELS));
    }),
  );
  offerToMovePasswords(services, store).catch((error: unknown) => log.warn(describeError(error)));
}

/** Connects once and asks the server what it is. The sentence that says why it is of no use, or `undefined`. */
async function tryConnection(pool: ConnectionPool, draft: ConnectionDraft): Promise<string | undefined> {
  return withProgress(`Connecting to ${draft.url}…`, false, async () => {
    const { describeServer } = await loadEngine();
    const executor = await pool.open(draft, draft.secrets);
    try {
      const { mode, address } = await describeServer(executor);
      if (mode === 'sentinel') {
        return `${address} is a sentinel, which has no queues. Choose Behind Sentinel, and name the primary it watches.`;
      }
      if (mode === 'cluster') {
        return `${address} is a node of a Redis Cluster, which is not supported yet: queues of other nodes cannot be read.`;
      }
      return undefined;
    } catch (error) {
      return describeError(error);
    } finally {
      await executor.close();
    }
  });
}

/** A URL written by hand may hold a password: asks to move it out of the settings. */
async function offerToMovePasswords(services: Services, store: ConnectionStore): Promise<void> {
  const found = services.connections.list().filter((c) => hasPassword(c.url));
  if (found.length === 0) return;
  const names = found.map((c) => c.name).join(', ');
  const answer = await showWarning(
    `The settings hold a password in plain text (${names}). Move it to the editor's secret storage?`,
    'Move',
    'Not Now',
  );
  if (answer !== 'Move') return;
  for (const connection of found) {
    const { options, ...inUrl } = parseConnectionUrl(connection.url);
    const kept = await store.readSecrets(connection);
    const sentinel = 'sentinel' in options ? toStoredSentinel(options.sentinel) : {};
    await store.save(
      { ...connection, url: formatAddress(options), sentinel: { ...sentinel, ...connection.sentinel } },
      { ...kept, ...inUrl },
    );
  }
}
