/** The bridge between the model and the view: VS Code asks here, and only while the view can be seen. */
import * as vscode from 'vscode';
import type { QueueAddress } from '../../keys/keys';
import { describeError } from '../platform/commands';
import type { PagingNode, TreeNode } from '../platform/nodes';
import type { Services } from '../platform/services';
import { loadTooltip } from './tooltip';
import { type Outlook, toTreeItem } from './treeItem';
import { type ModelServices, TreeModel } from './treeModel';

export class QueueTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<TreeNode | undefined>();
  readonly onDidChangeTreeData = this.emitter.event;
  private readonly model: TreeModel;
  private readonly outlook: Outlook;

  /** @param search see `ModelServices.search`. */
  constructor(
    private readonly services: Services,
    search: ModelServices['search'],
  ) {
    const { connections, known, log } = services;
    const onUnexpected = (error: unknown) => log.error(error instanceof Error ? error : describeError(error));
    this.model = new TreeModel({ connections, known, search, onUnexpected }, (node) =>
      this.emitter.fire(node),
    );
    const { getConnection, getProblem, getSummary, isAmbiguous } = this.model;
    this.outlook = {
      ...{ getConnection, getProblem, getSummary, isAmbiguous },
      findLock: (connectionId) => {
        const connection = getConnection(connectionId);
        return connection && services.locks.findLock(connection);
      },
    };
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return toTreeItem(node, this.outlook, Date.now());
  }

  async resolveTreeItem(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    if (node.kind !== 'job') return item;
    item.tooltip = await loadTooltip(this.services, node).catch(describeError);
    return item;
  }

  getChildren = (node?: TreeNode): Promise<TreeNode[]> => this.model.loadChildren(node);

  /** Reads again what is shown of one connection, or of all. */
  refresh(connectionId?: string): void {
    this.model.invalidate(connectionId);
    this.emitter.fire(
      connectionId === undefined ? undefined : this.model.intern({ kind: 'connection', connectionId }),
    );
  }

  /** Reads again what is shown of one queue. While the view is hidden that waits until it is shown. */
  async refreshQueue(connectionId: string, address: QueueAddress, isVisible: boolean): Promise<void> {
    if (isVisible) return this.model.reloadQueue(connectionId, address);
    this.model.invalidate(connectionId, address);
    this.emitter.fire(this.model.intern({ kind: 'connection', connectionId }));
  }

  /** Marks a connection as lost, without trying it again. */
  reportLoss(connectionId: string, problem: string): void {
    this.model.reportLoss(connectionId, problem);
  }

  moveWindow(node: PagingNode): void {
    this.model.moveWindow(node);
    this.emitter.fire(node.parent);
  }

  dispose(): void {
    this.emitter.dispose();
  }
}
