/** Turns a node into what VS Code shows. The one exhaustive place; everything from Redis passes `oneLine`. */
import * as vscode from 'vscode';
import { ConnectionError } from '../../base/errors';
import { Keys, type QueueAddress } from '../../keys/keys';
import { describeState, type JobState } from '../../keys/states';
import type { Count, JobRow, QueueSummary } from '../../queue/types';
import {
  COMMANDS,
  CONTEXT,
  jobContext,
  LOCK_SUFFIX,
  PRODUCTION_COLOUR,
  stateContext,
} from '../contributions';
import {
  type ConnectionNode,
  type JobNode,
  type MessageNode,
  nodeId,
  type PagingNode,
  type QueueNode,
  type StateNode,
  type TreeNode,
} from '../platform/nodes';
import type { Connection } from '../platform/services';
import { formatBytes, formatSpan, hidePassword, oneLine, plainLines, plural } from '../platform/text';
import { canAllowWrites, describeLock, type Lock } from '../platform/writeLocks';

const ICONS: Readonly<Record<JobState, string>> = {
  wait: 'circle-outline',
  paused: 'debug-pause',
  delayed: 'watch',
  prioritized: 'arrow-up',
  active: 'play-circle',
  completed: 'pass',
  failed: 'error',
  'waiting-children': 'type-hierarchy-sub',
};

const WARNING_COLOUR = 'problemsWarningIcon.foreground';

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

const colour = (state: JobState) =>
  new vscode.ThemeColor(`echomq.state.${state === 'waiting-children' ? 'waitingChildren' : state}`);

const stateIcon = (state: JobState) => new vscode.ThemeIcon(ICONS[state], colour(state));

/** What is known of the things that nodes name. */
export interface Outlook {
  getConnection(connectionId: string): Connection | undefined;
  /** Why the connection does not work. */
  getProblem(connectionId: string): string | undefined;
  getSummary(connectionId: string, address: QueueAddress): QueueSummary | undefined;
  isAmbiguous(connectionId: string, address: QueueAddress): boolean;
  /** Why the connection takes no writes. */
  findLock(connectionId: string): Lock | undefined;
}

/** @param now the time in ms since the epoch that ages are counted from. */
export function toTreeItem(node: TreeNode, outlook: Outlook, now: number): vscode.TreeItem {
  const item = makeItem(node, outlook, now);
  item.id = nodeId(node);
  const lock = 'connectionId' in node ? outlook.findLock(node.connectionId) : undefined;
  if (lock) item.contextValue += canAllowWrites(lock) ? LOCK_SUFFIX.locked : LOCK_SUFFIX.readOnly;
  return item;
}

function makeItem(node: TreeNode, outlook: Outlook, now: number): vscode.TreeItem {
  switch (node.kind) {
    case 'connection':
      return makeConnectionItem(node, outlook);
    case 'queue':
      return makeQueueItem(node, outlook);
    case 'state':
      return makeStateItem(node, outlook);
    case 'job':
      return makeJobItem(node, now);
    case 'paging':
      return makePagingItem(node);
    case 'message':
      return makeMessageItem(node);
  }
}

function makeConnectionItem({ connectionId }: ConnectionNode, outlook: Outlook): vscode.TreeItem {
  const connection = outlook.getConnection(connectionId);
  const problem = outlook.getProblem(connectionId);
  const lock = outlook.findLock(connectionId);
  const item = new vscode.TreeItem(oneLine(connection?.name ?? 'removed'), Collapsed);
  const url = oneLine(hidePassword(connection?.url ?? ''));
  const isUnchecked = connection?.tls?.rejectUnauthorized === false;
  const words = [
    problem === undefined ? '' : 'not connected',
    connection?.isProduction ? 'production' : '',
    lock ? 'read-only' : '',
    url,
    isUnchecked ? 'certificate not checked' : '',
  ];
  item.description = words.filter((word) => word !== '').join(' · ');
  const tint = connection?.isProduction ? new vscode.ThemeColor(PRODUCTION_COLOUR) : undefined;
  const sign = lock ? 'lock' : connection?.isProduction ? 'flame' : 'server';
  item.iconPath =
    problem === undefined
      ? new vscode.ThemeIcon(sign, tint)
      : new vscode.ThemeIcon('debug-disconnect', tint ?? new vscode.ThemeColor(WARNING_COLOUR));
  item.contextValue = CONTEXT.connection;
  const prefixes = connection?.prefixes.map((p) => oneLine(p)).join(', ') ?? '';
  const warning = isUnchecked ? '\nInsecure: the certificate of the server is not checked.' : '';
  const whyLocked = connection && lock ? `\n${describeLock(connection, lock)}` : '';
  item.tooltip = problem ?? `${url}\nPrefixes: ${prefixes}${warning}${whyLocked}`;
  return item;
}

function makePagingItem(node: PagingNode): vscode.TreeItem {
  const isMore = node.direction === 'more';
  const rest = `${node.remaining} ${isMore ? 'more' : 'before'}`;
  const item = new vscode.TreeItem(`Load ${isMore ? 'more' : 'previous'}… (${rest})`, None);
  item.iconPath = new vscode.ThemeIcon(isMore ? 'chevron-down' : 'chevron-up');
  item.contextValue = CONTEXT.paging;
  item.command = {
    command: isMore ? COMMANDS.loadMore : COMMANDS.loadPrevious,
    title: isMore ? 'Load More' : 'Load Previous',
    arguments: [node],
  };
  return item;
}

function makeMessageItem({ text, isError, action }: MessageNode): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(text, 300), None);
  item.tooltip = plainLines(text);
  item.contextValue = CONTEXT.message;
  item.iconPath = isError
    ? new vscode.ThemeIcon('warning', new vscode.ThemeColor(WARNING_COLOUR))
    : new vscode.ThemeIcon('info');
  if (isError) item.description = 'Click to retry';
  if (action) {
    item.command = {
      command: commandOf(action),
      title: 'Retry',
      arguments: [action.node],
    };
  }
  return item;
}

function commandOf({ kind, node }: NonNullable<MessageNode['action']>): string {
  if (kind === 'find') return COMMANDS.findQueues;
  return node.kind === 'connection' ? COMMANDS.refreshConnection : COMMANDS.refreshQueue;
}

function makeQueueItem({ connectionId, address }: QueueNode, outlook: Outlook): vscode.TreeItem {
  const summary = outlook.getSummary(connectionId, address);
  const item = new vscode.TreeItem(oneLine(address.queue), Collapsed);
  const prefix = outlook.isAmbiguous(connectionId, address) ? `${oneLine(address.prefix)} · ` : '';
  item.description = prefix + (summary ? describeCounts(summary) : '');
  item.iconPath = new vscode.ThemeIcon(summary?.isPaused ? 'debug-pause' : 'layers');
  item.contextValue = summary?.isPaused ? CONTEXT.pausedQueue : CONTEXT.queue;
  const name = oneLine(new Keys(address.prefix, address.queue).queueKey, 200);
  item.tooltip = summary ? `${name}\n${describeCounts(summary)}` : name;
  return item;
}

/** What is looked for first comes first: a narrow view cuts the end off. */
const READING_ORDER: readonly JobState[] = [
  'failed',
  'active',
  'wait',
  'prioritized',
  'delayed',
  'paused',
  'waiting-children',
  'completed',
];

/** `2 failed · 1 active · 3 wait`; states without jobs are left out, paused is always said. */
function describeCounts(summary: QueueSummary): string {
  const parts = READING_ORDER.filter((s) => summary.counts[s] !== 0).map(
    (s) => `${countText(summary.counts[s])} ${s}`,
  );
  const text = parts.length > 0 ? parts.join(' · ') : 'empty';
  return summary.isPaused ? `paused · ${text}` : text;
}

const countText = (count: Count | undefined) => (ConnectionError.is(count) ? '?' : `${count ?? ''}`);

function makeStateItem({ connectionId, address, state }: StateNode, outlook: Outlook): vscode.TreeItem {
  const row = describeState(state);
  const count = outlook.getSummary(connectionId, address)?.counts[state];
  const item = new vscode.TreeItem(row.title, count === 0 ? None : Collapsed);
  item.description = countText(count);
  item.iconPath = stateIcon(state);
  item.contextValue = stateContext(state);
  item.tooltip = ConnectionError.is(count) ? count.message : `${row.meaning}\n${row.type}: ${row.order}`;
  return item;
}

function makeJobItem(node: JobNode, now: number): vscode.TreeItem {
  const { row } = node;
  const item = new vscode.TreeItem(row.exists ? oneLine(row.name ?? '(no name)') : '(job is gone)', None);
  item.description = describeRow(row, now);
  item.iconPath = jobIcon(row);
  item.contextValue = row.exists ? jobContext(row.state) : CONTEXT.goneJob;
  item.command = { command: COMMANDS.openJob, title: 'Open Job', arguments: [node] };
  item.accessibilityInformation = {
    label: `${row.state} job ${oneLine(row.name ?? '')} ${item.description}`,
  };
  return item;
}

function jobIcon(row: JobRow): vscode.ThemeIcon {
  const warn = new vscode.ThemeColor(WARNING_COLOUR);
  if (!row.exists || row.problem) return new vscode.ThemeIcon('question', warn);
  if (row.state === 'active' && row.lockTtlMs === null) return new vscode.ThemeIcon('unlock', warn);
  if (row.schedulerId !== undefined) return new vscode.ThemeIcon('history', colour(row.state));
  if (row.hasParent) return new vscode.ThemeIcon('type-hierarchy-super', colour(row.state));
  return stateIcon(row.state);
}

/** Ids up to 24 characters whole; of longer ones, such as UUIDs, both ends, so that the rest of the row is seen. */
function shortId(id: string): string {
  const line = oneLine(id, 200);
  return line.length <= 24 ? line : `${line.slice(0, 8)}…${line.slice(-4)}`;
}

/** `#id · age or due time · attempts · why it failed`. */
function describeRow(row: JobRow, now: number): string {
  const parts = [`#${shortId(row.id)}`];
  if (!row.exists) return `${parts[0]} · its id is in ${row.state}, its hash is gone`;
  if (row.problem) return `${parts[0]} · ${oneLine(row.problem.message)}`;
  if (row.dueMs !== undefined)
    parts.push(row.dueMs > now ? `due in ${formatSpan(row.dueMs - now)}` : 'due now');
  else {
    const since = row.finishedMs ?? (row.state === 'active' ? row.processedMs : undefined) ?? row.createdMs;
    if (since !== undefined) parts.push(`${formatSpan(now - since)} ago`);
  }
  if (row.priority) parts.push(`priority ${row.priority}`);
  if (row.attemptsMade) parts.push(plural(row.attemptsMade, 'attempt'));
  if (row.stallCount) parts.push(plural(row.stallCount, 'stall'));
  if (row.state === 'active' && row.lockTtlMs === null) parts.push('no lock');
  if (row.deferredFailure !== undefined) parts.push(`will fail: ${oneLine(row.deferredFailure, 80)}`);
  const reason = row.failedReason;
  if (reason) parts.push('text' in reason ? oneLine(reason.text) : `reason of ${formatBytes(reason.bytes)}`);
  return parts.join(' · ');
}
