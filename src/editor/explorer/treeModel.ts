/**
 * What the tree knows, and the children of every node. Reads happen here and nowhere else in the tree: one round trip
 * for the counts of all shown queues of a connection, two or three for a page of jobs. Whether anything is asked for
 * at all is up to the view, which asks for nothing while it is hidden.
 */
import { type Clock, systemClock } from '../../base/clock';
import { ConnectionError, type ConnectionErrorCode } from '../../base/errors';
import type { Executor } from '../../executor/types';
import type { QueueAddress } from '../../keys/keys';
import { STATE_NAMES } from '../../keys/states';
import type { QueueSummary } from '../../queue/types';
import type { KnownQueues } from '../platform/knownQueues';
import { loadEngine } from '../platform/loadEngine';
import {
  type ConnectionNode,
  type MessageNode,
  nodeId,
  type PagingNode,
  type ParentNode,
  type QueueNode,
  type StateNode,
  type TreeNode,
} from '../platform/nodes';
import type { Connection, Connections } from '../platform/services';
import { Levels } from './levels';

const QUEUE_ROWS = 200;
/** Counts older than this are read again when a queue is expanded. */
const FRESH_MS = 1000;

/** Within this time VS Code asks for the rows below one that is drawn anew. */
const REDRAW_MS = 2000;

/** Errors of one command or key; all others say that the connection as a whole does not work. */
const LOCAL_CODES: readonly ConnectionErrorCode[] = [
  'noPermission',
  'unknownCommand',
  'cluster',
  'wrongType',
  'readOnlyReplica',
  'outOfMemory',
  'serverError',
];

/** What the model takes from its surroundings. */
export interface ModelServices {
  readonly connections: Pick<Connections, 'list' | 'find' | 'requireExecutor'>;
  readonly known: Pick<KnownQueues, 'list'>;
  /** Looks for queues unless that was done already in this window. Rejects as discovery does. */
  readonly search: (connectionId: string) => Promise<void>;
  /** Called for an error that is none of the families. */
  readonly onUnexpected?: (error: unknown) => void;
  readonly clock?: Clock;
}

interface CachedSummary {
  readonly summary: QueueSummary;
  readonly readAtMs: number;
}

export class TreeModel {
  private readonly parents = new Map<string, ParentNode>();
  private readonly summaries = new Map<string, CachedSummary>();
  private readonly problems = new Map<string, string>();
  private readonly searchProblems = new Map<string, string>();
  /** By connection, the queue names that more than one prefix has. */
  private readonly ambiguous = new Map<string, ReadonlySet<string>>();
  /** By connection and level, the rows that were read last. */
  private readonly drawn = new Map<string, Map<string, TreeNode[]>>();
  /** Levels to give once more without reading, because a row above them is drawn anew; for a moment only. */
  private readonly replay = new Map<string, { readonly rows: TreeNode[]; readonly untilMs: number }>();
  private readonly jobLevels = new Levels();
  private readonly queueLevels = new Levels(QUEUE_ROWS);
  private readonly clock: Clock;

  /** @param onChange called when the row of a node is to be drawn anew, with what is open below it. */
  constructor(
    private readonly services: ModelServices,
    private readonly onChange: (node: ParentNode) => void,
  ) {
    this.clock = services.clock ?? systemClock;
  }

  getConnection = (id: string): Connection | undefined => this.services.connections.find(id);

  /** Why a connection does not work, as far as is known. */
  getProblem = (connectionId: string): string | undefined => this.problems.get(connectionId);

  getSummary = (connectionId: string, address: QueueAddress): QueueSummary | undefined =>
    this.summaries.get(summaryKey(connectionId, address))?.summary;

  /** More than one prefix of the connection has a queue of this name. */
  isAmbiguous = (connectionId: string, { queue }: QueueAddress): boolean =>
    this.ambiguous.get(connectionId)?.has(queue) ?? false;

  /** The one node of a connection, queue or state: asked for again it is the same object. */
  intern<N extends ParentNode>(node: N): N {
    const id = nodeId(node);
    const known = this.parents.get(id);
    if (known) return known as N;
    this.parents.set(id, node);
    return node;
  }

  /** Forgets the counts of everything, of a connection, or of a queue: the next look reads them. */
  invalidate(connectionId?: string, address?: QueueAddress): void {
    if (connectionId !== undefined && address) this.summaries.delete(summaryKey(connectionId, address));
    else if (connectionId === undefined) this.summaries.clear();
    else {
      const start = summaryKey(connectionId);
      for (const key of this.summaries.keys()) if (key.startsWith(start)) this.summaries.delete(key);
    }
    this.replay.clear();
  }

  /** Reads the counts of one queue anew, then has its row and what is open below it drawn. */
  async reloadQueue(connectionId: string, address: QueueAddress): Promise<void> {
    this.invalidate(connectionId, address);
    // A failure is told by the rows below the queue, which ask again.
    await this.readSummaries(connectionId, [address]).catch(() => undefined);
    this.onChange(this.intern<QueueNode>({ kind: 'queue', connectionId, address }));
  }

  /** Says that a connection was lost. Nothing is sent. */
  reportLoss(connectionId: string, problem: string): void {
    this.setProblem(connectionId, problem);
  }

  moveWindow({ parent, direction }: PagingNode): void {
    this.replay.delete(nodeId(parent));
    const levels = parent.kind === 'connection' ? this.queueLevels : this.jobLevels;
    if (direction === 'more') levels.more(nodeId(parent));
    else levels.previous(nodeId(parent));
  }

  /** The children of a node, or of the root. Never rejects: an error is a row. */
  async loadChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (!node) {
      return this.services.connections
        .list()
        .map(({ id }) => this.intern<ConnectionNode>({ kind: 'connection', connectionId: id }));
    }
    switch (node.kind) {
      case 'connection':
        return this.guard(node, () => this.loadQueues(node));
      case 'queue':
        return this.guard(node, () => this.loadStates(node));
      case 'state':
        return this.guard(node, () => this.loadJobs(node));
      default:
        return [];
    }
  }

  private async guard(node: ParentNode, load: () => Promise<TreeNode[]>): Promise<TreeNode[]> {
    const id = nodeId(node);
    const again = this.replay.get(id);
    this.replay.delete(id);
    if (again && this.clock() < again.untilMs) return again.rows;
    try {
      const rows = await load();
      if (node.kind === 'state') this.keep(node, rows);
      else this.drawn.get(node.connectionId)?.delete(id);
      return rows;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      const isWide = ConnectionError.is(error) && !LOCAL_CODES.includes(error.code);
      const connection = this.intern<ConnectionNode>({ kind: 'connection', connectionId: node.connectionId });
      const retry = { kind: 'retry', node: isWide ? connection : node } as const;
      const rows: TreeNode[] = [{ kind: 'message', parent: node, text, isError: true, action: retry }];
      this.keep(node, rows);
      if (isWide) this.setProblem(node.connectionId, text);
      if (!(error instanceof Error && 'family' in error)) this.services.onUnexpected?.(error);
      return rows;
    }
  }

  private keep(node: ParentNode, rows: TreeNode[]): void {
    const levels = this.drawn.get(node.connectionId) ?? new Map<string, TreeNode[]>();
    this.drawn.set(node.connectionId, levels.set(nodeId(node), rows));
  }

  /** Draws a row whose own text has changed. VS Code asks for all below it as well, which is not read again. */
  private redraw(node: ParentNode): void {
    const untilMs = this.clock() + REDRAW_MS;
    for (const [id, rows] of this.drawn.get(node.connectionId) ?? []) this.replay.set(id, { rows, untilMs });
    this.onChange(node);
  }

  /** Shows on the connection's own row whether it works, once per change. */
  private setProblem(connectionId: string, problem: string | undefined): void {
    if (this.problems.get(connectionId) === problem) return;
    if (problem === undefined) {
      this.problems.delete(connectionId);
      // What could not be read then is read now.
      for (const [id, rows] of this.drawn.get(connectionId) ?? []) {
        if (rows.some((row) => row.kind === 'message')) this.drawn.get(connectionId)?.delete(id);
      }
    } else this.problems.set(connectionId, problem);
    this.redraw(this.intern<ConnectionNode>({ kind: 'connection', connectionId }));
  }

  private listQueues(connectionId: string): QueueAddress[] {
    const prefixes = this.services.connections.find(connectionId)?.prefixes ?? [];
    return this.services.known.list(connectionId, prefixes);
  }

  private async loadQueues(node: ConnectionNode): Promise<TreeNode[]> {
    const { connectionId } = node;
    const connection = this.getConnection(connectionId);
    if (!connection) return [];
    if (this.listQueues(connectionId).length === 0) {
      // With no queue to ask about, this still tells whether the server can be reached.
      await ping(await this.services.connections.requireExecutor(connectionId));
      this.setProblem(connectionId, undefined);
      await this.search(connectionId);
    }
    const all = this.listQueues(connectionId);
    this.ambiguous.set(connectionId, findRepeated(all.map((address) => address.queue)));
    const { offset, limit } = this.queueLevels.clamp(nodeId(node), all.length);
    const shown = all.slice(offset, offset + limit);
    await this.readSummaries(
      connectionId,
      shown.filter((address) => !this.getSummary(connectionId, address)),
    );
    if (all.length > 0) this.searchBehind(node);
    const queues = shown.map((address) => this.intern<QueueNode>({ kind: 'queue', connectionId, address }));
    const rows: TreeNode[] = withPaging(queues, node, offset, all.length);
    const note = this.describeSearch(node, connection, all.length);
    return note ? [...rows, note] : rows;
  }

  /** What is to be said after the queues, or in their place. */
  private describeSearch(
    parent: ConnectionNode,
    { prefixes }: Connection,
    count: number,
  ): MessageNode | undefined {
    const find = { action: { kind: 'find', node: parent } } as const;
    const problem = this.searchProblems.get(parent.connectionId);
    if (problem !== undefined) {
      return { kind: 'message', parent, text: `Queues cannot be found: ${problem}`, isError: true, ...find };
    }
    if (count > 0) return undefined;
    const text = `No queue found under ${prefixes.join(', ')}. Click to look again.`;
    return { kind: 'message', parent, text, isError: false, ...find };
  }

  /** Looks for queues; what goes wrong is kept for {@link describeSearch}. */
  private async search(connectionId: string): Promise<void> {
    try {
      await this.services.search(connectionId);
      this.searchProblems.delete(connectionId);
    } catch (error) {
      if (!ConnectionError.is(error)) throw error;
      // That nothing can be asked at all is told by the rows themselves.
      if (LOCAL_CODES.includes(error.code)) this.searchProblems.set(connectionId, error.message);
    }
  }

  /** Looks for queues that are not known yet while the known ones are shown. */
  private searchBehind(node: ConnectionNode): void {
    const fingerprint = () =>
      JSON.stringify([this.listQueues(node.connectionId), this.searchProblems.get(node.connectionId)]);
    const before = fingerprint();
    this.search(node.connectionId).then(
      () => {
        if (fingerprint() !== before) this.redraw(node);
      },
      (error: unknown) => this.services.onUnexpected?.(error),
    );
  }

  private async loadStates(node: QueueNode): Promise<TreeNode[]> {
    const { connectionId, address } = node;
    const cached = this.summaries.get(summaryKey(connectionId, address));
    if (!cached || this.clock() - cached.readAtMs > FRESH_MS) {
      await this.readSummaries(connectionId, [address]);
      const isSame =
        JSON.stringify(cached?.summary) === JSON.stringify(this.getSummary(connectionId, address));
      if (cached && !isSame) this.onChange(node);
    }
    return STATE_NAMES.map((state) =>
      this.intern<StateNode>({ kind: 'state', connectionId, address, state }),
    );
  }

  private async loadJobs(node: StateNode): Promise<TreeNode[]> {
    const { connectionId, address, state } = node;
    const executor = await this.services.connections.requireExecutor(connectionId);
    const { Queue } = await loadEngine();
    const queue = new Queue(executor, address);
    const level = nodeId(node);
    let window = this.jobLevels.get(level);
    let page = await queue.readPage(state, window);
    const clamped = this.jobLevels.clamp(level, page.total);
    if (clamped !== window) {
      window = clamped;
      page = await queue.readPage(state, window);
    }
    this.setProblem(connectionId, undefined);
    const seen = new Map<string, number>();
    const jobs = page.rows.map((row): TreeNode => {
      const repetition = seen.get(row.id) ?? 0;
      seen.set(row.id, repetition + 1);
      return { kind: 'job', connectionId, address, row, repetition };
    });
    return withPaging(jobs, node, window.offset, page.total);
  }

  private async readSummaries(connectionId: string, addresses: readonly QueueAddress[]): Promise<void> {
    if (addresses.length === 0) return;
    const executor = await this.services.connections.requireExecutor(connectionId);
    const { readQueueSummaries } = await loadEngine();
    const summaries = await readQueueSummaries(executor, addresses);
    const readAtMs = this.clock();
    for (const summary of summaries) {
      this.summaries.set(summaryKey(connectionId, summary.address), { summary, readAtMs });
    }
    this.setProblem(connectionId, undefined);
  }
}

function withPaging(
  rows: readonly TreeNode[],
  parent: ConnectionNode | StateNode,
  offset: number,
  total: number,
): TreeNode[] {
  const paging = (direction: 'more' | 'previous', remaining: number): PagingNode[] =>
    remaining > 0 ? [{ kind: 'paging', direction, parent, remaining }] : [];
  return [...paging('previous', offset), ...rows, ...paging('more', total - offset - rows.length)];
}

function findRepeated(names: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(names.filter((name) => seen.size === seen.add(name).size));
}

async function ping(executor: Executor): Promise<void> {
  const [reply] = await executor.read([['PING']]);
  if (reply && 'error' in reply) throw reply.error;
}

/** Every part escaped and followed by a stroke, so that one connection's keys begin alike and no other's do. */
const summaryKey = (connectionId: string, address?: QueueAddress) =>
  [connectionId, ...(address ? [address.prefix, address.queue] : [])]
    .map((part) => `${encodeURIComponent(part)}/`)
    .join('');
