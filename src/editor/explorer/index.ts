/** The Queues view. */
import * as vscode from 'vscode';
import { COMMANDS, VIEW_QUEUES } from '../contributions';
import { registerCommand } from '../platform/commands';
import type { ConnectionNode, PagingNode, QueueNode, StateNode, TreeNode } from '../platform/nodes';
import { pickConnection } from '../platform/pick';
import type { Services } from '../platform/services';
import { QueueSearch } from './search';
import { QueueTree } from './treeData';

/** Registers the view and the commands that move through it. */
export function registerExplorer(services: Services): void {
  const { context, log, connections, refreshes } = services;
  const search = new QueueSearch(services);
  const tree = new QueueTree(services, (connectionId) => search.searchOnce(connectionId));
  const view = vscode.window.createTreeView(VIEW_QUEUES, {
    treeDataProvider: tree,
    canSelectMany: true,
    showCollapseAll: true,
  });

  context.subscriptions.push(
    tree,
    view,
    connections.onDidChange(() => tree.refresh()),
    // Every row says by its context value whether it may be written to.
    services.locks.onDidChange(() => tree.refresh()),
    connections.onDidLose(({ connectionId, problem }) => tree.reportLoss(connectionId, problem)),
    services.changes.event(({ connectionId, address }) =>
      tree.refreshQueue(connectionId, address, view.visible),
    ),
    // The button of the view's title is handed the focused row, which does not matter to it.
    registerCommand(log, COMMANDS.refresh, () => {
      search.noteRefresh();
      tree.refresh();
      refreshes.fire(undefined);
    }),
    registerCommand(log, COMMANDS.refreshConnection, (node: ConnectionNode) => {
      search.noteRefresh(node.connectionId);
      tree.refresh(node.connectionId);
      refreshes.fire(node.connectionId);
    }),
    registerCommand(log, COMMANDS.refreshQueue, async (node: QueueNode | StateNode) => {
      await tree.refreshQueue(node.connectionId, node.address, view.visible);
      refreshes.fire(node.connectionId);
    }),
    registerCommand(log, COMMANDS.findQueues, async (node?: TreeNode) => {
      const id = node && 'connectionId' in node ? node.connectionId : undefined;
      const connection = await pickConnection(services, id);
      await search.search(connection.id);
      tree.refresh(connection.id);
    }),
    registerCommand(log, COMMANDS.loadMore, (node: PagingNode) => tree.moveWindow(node)),
    registerCommand(log, COMMANDS.loadPrevious, (node: PagingNode) => tree.moveWindow(node)),
  );
}
