/**
 * The children of every node. Reads happen here and nowhere else in the tree: one round trip for the counts of a
 * connection's queues, at most two or three for a page of jobs, and nothing at all while the view is hidden.
 */
import * as vscode from 'vscode';
import { ConnectionError } from '../../base/errors';
import type { Executor } from '../../executor/types';
import type { QueueAddress } from '../../keys/keys';
import { STATE_NAMES } from '../../keys/states';
import type { QueueSummary } from '../../queue/types';
import { describeError } from '../platform/commands';
import {
  type ConnectionNode,
  type MessageNode,
  nodeId,
  type PagingNode,
  type QueueNode,
  type StateNode,
  type TreeNode,
} from '../platform/nodes';
import type { Services } from '../platform/services';
import type { KnownQueues } from './knownQueues';
import { Levels } from './levels';
import { toTreeItem } from './treeItem';

const QUEUE_ROWS = 200;
/** Counts older than this are read again when a queue is expanded. */
const FRESH_MS = 2000;

interface CachedSummary {
  readonly summary: QueueSummary;
  readonly readAtMs: number;
}

export class QueueTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<TreeNode | undefined>();
  readonly onDidChangeTreeData = this.emitter.event;
  private readonly connectionNodes = new Map<string, ConnectionNode>();
  private readonly problems = new Map<string, string>();
  private readonly summaries = new Map<string, CachedSummary>();
  private readonly jobLevels = new Levels();
  private readonly queueLevels = new Levels(QUEUE_ROWS);

  constructor(
    private readonly services: Services,
    private readonly known: KnownQueues,
    /** Called when a connection's queues are shown for the first time, to look for new ones. */
    private readonly onFirstShown: (connectionId: string) => void,
  ) {}

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const health = (id: string) => ({
      connection: this.services.connections.find(id),
      problem: this.problems.get(id),
    });
    return toTreeItem(node, health, Date.now());
  }

  async resolveTreeItem(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    if (node.kind !== 'job') return item;
    const { loadTooltip } = await import('./tooltip');
    item.tooltip = await loadTooltip(this.services, node).catch(describeError);
    return item;
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (!node) return this.services.connections.list().map((c) => this.connectionNode(c.id));
    if (node.kind === 'connection') return this.guard(node.connectionId, () => this.loadQueues(node));
    if (node.kind === 'queue') return this.guard(node.connectionId, () => this.loadStates(node));
    if (node.kind === 'state') return this.guard(node.connectionId, () => this.loadJobs(node));
    return [];
  }

  /** The node of a connection: one object for its life, so that it can be refreshed. */
  connectionNode(connectionId: string): ConnectionNode {
    const known = this.connectionNodes.get(connectionId);
    if (known) return known;
    const node: ConnectionNode = { kind: 'connection', connectionId };
    this.connectionNodes.set(connectionId, node);
    return node;
  }

  /** Reads again what is shown: of one queue, one connection or everything. */
  refresh(connectionId?: string, only?: QueueAddress): void {
    for (const key of [...this.summaries.keys()]) {
      const isAffected =
        connectionId === undefined ||
        (only
          ? key === cacheKey(connectionId, only)
          : key.startsWith(`${encodeURIComponent(connectionId)}/`));
      if (isAffected) this.summaries.delete(key);
    }
    const node = connectionId === undefined ? undefined : this.connectionNodes.get(connectionId);
    this.emitter.fire(node);
  }

  moveWindow(node: PagingNode): void {
    const levels = node.parent.kind === 'connection' ? this.queueLevels : this.jobLevels;
    if (node.direction === 'more') levels.more(node.level);
    else levels.previous(node.level);
    this.emitter.fire(node.parent);
  }

  dispose(): void {
    this.emitter.dispose();
  }

  private async guard(connectionId: string, load: () => Promise<TreeNode[]>): Promise<TreeNode[]> {
    try {
      const nodes = await load();
      this.setProblem(connectionId, undefined);
      return nodes;
    } catch (error) {
      const text = describeError(error);
      if (ConnectionError.is(error)) this.setProblem(connectionId, text);
      else this.services.log.error(error instanceof Error ? error : text);
      const message: MessageNode = { kind: 'message', connectionId, text, isError: true };
      return [message];
    }
  }

  /** Shows on the connection's own row whether it works, once per change. */
  private setProblem(connectionId: string, problem: string | undefined): void {
    if (this.problems.get(connectionId) === problem) return;
    if (problem === undefined) this.problems.delete(connectionId);
    else this.problems.set(connectionId, problem);
    // The root is read from the settings only; the children that are expanded come from the cache or fail again once.
    if (problem === undefined) this.emitter.fire(this.connectionNodes.get(connectionId));
  }

  private async loadQueues(node: ConnectionNode): Promise<TreeNode[]> {
    const { connectionId } = node;
    const connection = this.services.connections.find(connectionId);
    if (!connection) return [];
    const executor = await this.services.connections.requireExecutor(connectionId);
    const all = this.known.list(connectionId, connection.prefixes);
    const level = nodeId(node);
    const { offset, limit } = this.queueLevels.clamp(level, all.length);
    const shown = all.slice(offset, offset + limit);
    const missing = shown.filter((a) => !this.summaries.has(cacheKey(connectionId, a)));
    // With no queue known yet, one read still tells whether the server can be reached.
    if (missing.length > 0) await this.readSummaries(connectionId, missing);
    else if (all.length === 0) await ping(executor);
    this.onFirstShown(connectionId);
    if (all.length === 0) {
      const text = `No queue found yet under ${connection.prefixes.join(', ')}. Use Find Queues to look again.`;
      return [{ kind: 'message', connectionId, text, isError: false }];
    }
    const names = new Map<string, number>();
    for (const a of all) names.set(a.queue, (names.get(a.queue) ?? 0) + 1);
    const queues = shown.map((address): QueueNode => {
      const summary = this.summaries.get(cacheKey(connectionId, address))?.summary;
      return {
        kind: 'queue',
        connectionId,
        address,
        summary,
        isAmbiguous: (names.get(address.queue) ?? 0) > 1,
      };
    });
    return this.withPaging(queues, node, level, offset, all.length);
  }

  private async loadStates(node: QueueNode): Promise<TreeNode[]> {
    const { connectionId, address } = node;
    const cached = this.summaries.get(cacheKey(connectionId, address));
    if (!cached || Date.now() - cached.readAtMs > FRESH_MS) await this.readSummaries(connectionId, [address]);
    const summary = this.summaries.get(cacheKey(connectionId, address))?.summary;
    if (!summary) return [];
    return STATE_NAMES.map((state): StateNode => ({ kind: 'state', connectionId, address, state, summary }));
  }

  private async loadJobs(node: StateNode): Promise<TreeNode[]> {
    const { connectionId, address, state } = node;
    const executor = await this.services.connections.requireExecutor(connectionId);
    const { Queue } = await import('../../queue/queue');
    const queue = new Queue(executor, address);
    const level = nodeId(node);
    let window = this.jobLevels.get(level);
    let page = await queue.readPage(state, window);
    const clamped = this.jobLevels.clamp(level, page.total);
    if (clamped !== window) {
      window = clamped;
      page = await queue.readPage(state, window);
    }
    const jobs = page.rows.map((row): TreeNode => ({ kind: 'job', connectionId, address, row }));
    return this.withPaging(jobs, node, level, window.offset, page.total);
  }

  private withPaging(
    rows: readonly TreeNode[],
    parent: ConnectionNode | StateNode,
    level: string,
    offset: number,
    total: number,
  ): TreeNode[] {
    const paging = (direction: 'more' | 'previous', remaining: number): PagingNode[] =>
      remaining > 0 ? [{ kind: 'paging', direction, level, parent, remaining }] : [];
    return [...paging('previous', offset), ...rows, ...paging('more', total - offset - rows.length)];
  }

  private async readSummaries(connectionId: string, addresses: readonly QueueAddress[]): Promise<void> {
    const executor = await this.services.connections.requireExecutor(connectionId);
    const { readQueueSummaries } = await import('../../queue/counts');
    const summaries = await readQueueSummaries(executor, addresses);
    const readAtMs = Date.now();
    for (const summary of summaries) {
      this.summaries.set(cacheKey(connectionId, summary.address), { summary, readAtMs });
    }
  }
}

async function ping(executor: Executor): Promise<void> {
  const [reply] = await executor.read([['PING']]);
  if (reply && 'error' in reply) throw reply.error;
}

const cacheKey = (connectionId: string, a: QueueAddress) =>
  [connectionId, a.prefix, a.queue].map(encodeURIComponent).join('/');
