/** The Queues view. */
import * as vscode from 'vscode';
import { COMMANDS, VIEW_QUEUES } from '../contributions';
import { describeError, registerCommand } from '../platform/commands';
import type { PagingNode, TreeNode } from '../platform/nodes';
import { pickConnection } from '../platform/pick';
import type { Services } from '../platform/services';
import { readSetting } from '../platform/settings';
import { plural } from '../platform/text';
import { KnownQueues } from './knownQueues';
import { QueueTree } from './treeData';

/** A search that takes longer than this shows its progress, with Cancel. */
const QUIET_MS = 1000;

/** Registers the view and the commands that move through it. */
export function registerExplorer(services: Services): void {
  const { context, log, connections } = services;
  const known = new KnownQueues(context.globalState);
  const searches = new Map<string, Promise<void>>();
  const searched = new Set<string>();

  const find = (connectionId: string): Promise<void> => {
    const running = searches.get(connectionId);
    if (running) return running;
    searched.add(connectionId);
    const search = findQueues(services, known, connectionId).finally(() => searches.delete(connectionId));
    searches.set(connectionId, search);
    return search;
  };

  const tree = new QueueTree(services, known, (connectionId) => {
    if (searched.has(connectionId)) return;
    find(connectionId).then(
      () => tree.refresh(connectionId),
      // The tree itself shows why the server cannot be reached.
      (error: unknown) => log.warn(`Looking for queues: ${describeError(error)}`),
    );
  });
  const view = vscode.window.createTreeView(VIEW_QUEUES, {
    treeDataProvider: tree,
    canSelectMany: true,
    showCollapseAll: true,
  });

  context.subscriptions.push(
    tree,
    view,
    connections.onDidChange(() => tree.refresh()),
    connections.onDidLose((id) => tree.refresh(id)),
    services.changes.event((change) => tree.refresh(change.connectionId, change.address)),
    registerCommand(log, COMMANDS.refresh, (node?: TreeNode) => {
      if (node && 'address' in node) tree.refresh(node.connectionId, node.address);
      else tree.refresh(node && 'connectionId' in node ? node.connectionId : undefined);
    }),
    registerCommand(log, COMMANDS.findQueues, async (node?: TreeNode) => {
      const id = node && 'connectionId' in node ? node.connectionId : undefined;
      const connection = await pickConnection(services, id);
      await find(connection.id);
      tree.refresh(connection.id);
    }),
    registerCommand(log, COMMANDS.loadMore, (node: PagingNode) => tree.moveWindow(node)),
    registerCommand(log, COMMANDS.loadPrevious, (node: PagingNode) => tree.moveWindow(node)),
  );
}

async function findQueues(services: Services, known: KnownQueues, connectionId: string): Promise<void> {
  const connection = services.connections.find(connectionId);
  if (!connection) return;
  const executor = await services.connections.requireExecutor(connectionId);
  const { discoverQueues } = await import('../../queue/discovery');
  const cancellation = new vscode.CancellationTokenSource();
  let report: ((text: string) => void) | undefined;
  const search = discoverQueues(executor, connection.prefixes, {
    cancellation: cancellation.token,
    maxKeys: readSetting('discovery.maxKeys'),
    onProgress: ({ scanned, total, found }) =>
      report?.(
        `${plural(found.length, 'queue')}, ${scanned}${total === undefined ? '' : ` of ${total}`} keys`,
      ),
  });
  const timer = setTimeout(() => {
    const title = `Looking for queues on ${connection.name}`;
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, async (progress, token) => {
      token.onCancellationRequested(() => cancellation.cancel());
      report = (message) => progress.report({ message });
      await search.catch(() => undefined);
    });
  }, QUIET_MS);
  try {
    const result = await search;
    // Only a pass that saw every key may forget a queue that is gone.
    if (result.end === 'complete') await known.replace(connectionId, result.queues);
    else await known.add(connectionId, result.queues);
    if (result.end === 'limit') {
      void vscode.window.showInformationMessage(
        `The search on ${connection.name} stopped after ${result.scanned} keys (setting echomq.discovery.maxKeys). ` +
          `${plural(result.queues.length, 'queue')} found so far.`,
      );
    }
  } finally {
    clearTimeout(timer);
    cancellation.dispose();
  }
}
