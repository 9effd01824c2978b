/** Adding, editing and removing connections. */
import * as vscode from 'vscode';
import { formatAddress } from '../../executor/address';
import { parseConnectionUrl } from '../../executor/connectionUrl';
import { COMMANDS } from '../contributions';
import { describeError, registerCommand } from '../platform/commands';
import type { ConnectionNode } from '../platform/nodes';
import { confirm, showWarning, withProgress } from '../platform/notify';
import { pickConnection } from '../platform/pick';
import type { Services } from '../platform/services';
import { askForConnection, type ConnectionDraft } from './form';
import { ConnectionPool } from './pool';
import { ConnectionStore } from './store';

/** The stored connections and the sockets behind them; nothing is opened yet. */
export function createConnections(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): { store: ConnectionStore; pool: ConnectionPool } {
  const store = new ConnectionStore(context.secrets);
  return { store, pool: new ConnectionPool(store, context.extensionPath, log) };
}

/** Registers the commands of connections. */
export function registerConnections(services: Services, store: ConnectionStore, pool: ConnectionPool): void {
  const { log, context } = services;

  const save = async (draft: ConnectionDraft, id?: string) => {
    const problem = await tryConnection(pool, draft);
    if (problem !== undefined) {
      if (!(await confirm(problem, 'Save Anyway'))) throw new vscode.CancellationError();
    }
    const { password, ...connection } = draft;
    const saved = await store.save({ ...connection, ...(id !== undefined && { id }) }, password);
    await pool.drop(saved);
    pool.announce();
  };

  context.subscriptions.push(
    registerCommand(log, COMMANDS.addConnection, async () => save(await askForConnection())),
    registerCommand(log, COMMANDS.editConnection, async (node?: ConnectionNode) => {
      const connection = await pickConnection(services, node?.connectionId);
      await save(await askForConnection(connection, await store.readPassword(connection.id)), connection.id);
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
  );
  offerToMovePasswords(services, store).catch((error: unknown) => log.warn(describeError(error)));
}

/** Connects once and asks for a sign of life. The sentence that says why it failed, or `undefined`. */
async function tryConnection(pool: ConnectionPool, draft: ConnectionDraft): Promise<string | undefined> {
  return withProgress(`Connecting to ${draft.url}…`, false, async () => {
    const executor = await pool.open(draft, draft.password);
    try {
      const [reply] = await executor.read([['PING']]);
      return reply && 'error' in reply ? reply.error.message : undefined;
    } catch (error) {
      return describeError(error);
    } finally {
      await executor.close();
    }
  });
}

/** A URL written by hand may hold a password: asks to move it out of the settings. */
async function offerToMovePasswords(services: Services, store: ConnectionStore): Promise<void> {
  const withPassword = (url: string) => /^rediss?:\/\/[^/@]*:[^/@]+@/.test(url);
  const found = services.connections.list().filter((c) => withPassword(c.url));
  if (found.length === 0) return;
  const names = found.map((c) => c.name).join(', ');
  const answer = await showWarning(
    `The settings hold a password in plain text (${names}). Move it to the editor's secret storage?`,
    'Move',
    'Not Now',
  );
  if (answer !== 'Move') return;
  for (const connection of found) {
    const { options, password } = parseConnectionUrl(connection.url);
    await store.save({ ...connection, url: formatAddress(options) }, password);
  }
}
