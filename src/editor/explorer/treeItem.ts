/** Turns a node into what VS Code shows. The one exhaustive place; everything from Redis passes `oneLine`. */
import * as vscode from 'vscode';
import { ConnectionError } from '../../base/errors';
import { Keys } from '../../keys/keys';
import { describeState, type JobState } from '../../keys/states';
import type { Count, JobRow, QueueSummary } from '../../queue/types';
import { COMMANDS } from '../contributions';
import { nodeId, type QueueNode, type StateNode, type TreeNode } from '../platform/nodes';
import type { Connection } from '../platform/services';
import { formatBytes, formatSpan, oneLine, plural } from '../platform/text';

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

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

const colour = (state: JobState) =>
  new vscode.ThemeColor(`echomq.state.${state === 'waiting-children' ? 'waitingChildren' : state}`);

const stateIcon = (state: JobState) => new vscode.ThemeIcon(ICONS[state], colour(state));

/** What is known of a connection's health. */
export interface ConnectionHealth {
  readonly connection: Connection | undefined;
  readonly problem: string | undefined;
}

/** @param now the time in ms since the epoch that ages are counted from. */
export function toTreeItem(
  node: TreeNode,
  health: (id: string) => ConnectionHealth,
  now: number,
): vscode.TreeItem {
  const item = makeItem(node, health, now);
  item.id = nodeId(node);
  return item;
}

function makeItem(node: TreeNode, health: (id: string) => ConnectionHealth, now: number): vscode.TreeItem {
  switch (node.kind) {
    case 'connection': {
      const { connection, problem } = health(node.connectionId);
      const item = new vscode.TreeItem(oneLine(connection?.name ?? 'removed'), Collapsed);
      item.description =
        problem === undefined ? oneLine(connection?.url.replace(/:[^:/@]*@/, '@') ?? '') : 'not connected';
      item.iconPath = new vscode.ThemeIcon(
        problem === undefined ? 'server' : 'debug-disconnect',
        problem === undefined ? undefined : new vscode.ThemeColor('problemsWarningIcon.foreground'),
      );
      item.contextValue = 'echomq.connection';
      item.tooltip = problem ?? `Prefixes: ${connection?.prefixes.join(', ') ?? ''}`;
      return item;
    }
    case 'queue':
      return makeQueueItem(node);
    case 'state':
      return makeStateItem(node);
    case 'job':
      return makeJobItem(node.row, node, now);
    case 'paging': {
      const isMore = node.direction === 'more';
      const label = isMore
        ? `Load more… (${node.remaining} more)`
        : `Load previous… (${node.remaining} before)`;
      const item = new vscode.TreeItem(label, None);
      item.iconPath = new vscode.ThemeIcon(isMore ? 'chevron-down' : 'chevron-up');
      item.contextValue = 'echomq.paging';
      item.command = {
        command: isMore ? COMMANDS.loadMore : COMMANDS.loadPrevious,
        title: isMore ? 'Load More' : 'Load Previous',
        arguments: [node],
      };
      return item;
    }
    case 'message': {
      const item = new vscode.TreeItem(oneLine(node.text, 300), None);
      item.tooltip = node.text;
      item.contextValue = 'echomq.message';
      item.iconPath = new vscode.ThemeIcon(node.isError ? 'warning' : 'info');
      if (node.isError) {
        item.description = 'Click to retry';
        item.command = {
          command: COMMANDS.refresh,
          title: 'Retry',
          arguments: [{ kind: 'connection', connectionId: node.connectionId }],
        };
      }
      return item;
    }
  }
}

function makeQueueItem(node: QueueNode): vscode.TreeItem {
  const { address, summary } = node;
  const item = new vscode.TreeItem(oneLine(address.queue), Collapsed);
  const prefix = node.isAmbiguous ? `${oneLine(address.prefix)} · ` : '';
  item.description = prefix + (summary ? describeCounts(summary) : '');
  item.iconPath = new vscode.ThemeIcon(summary?.isPaused ? 'debug-pause' : 'layers');
  item.contextValue = summary?.isPaused ? 'echomq.queue paused' : 'echomq.queue';
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

const countText = (count: Count) => (ConnectionError.is(count) ? '?' : `${count}`);

function makeStateItem(node: StateNode): vscode.TreeItem {
  const row = describeState(node.state);
  const count = node.summary.counts[node.state];
  const item = new vscode.TreeItem(row.title, count === 0 ? None : Collapsed);
  item.description = countText(count);
  item.iconPath = stateIcon(node.state);
  item.contextValue = `echomq.state ${node.state}`;
  item.tooltip = ConnectionError.is(count) ? count.message : `${row.meaning}\n${row.type}: ${row.order}`;
  return item;
}

function makeJobItem(row: JobRow, node: TreeNode & { kind: 'job' }, now: number): vscode.TreeItem {
  const item = new vscode.TreeItem(row.exists ? oneLine(row.name ?? '(no name)') : '(job is gone)', None);
  item.description = describeRow(row, now);
  item.iconPath = jobIcon(row);
  item.contextValue = row.exists ? `echomq.job ${row.state}` : 'echomq.job gone';
  item.command = { command: COMMANDS.openJob, title: 'Open Job', arguments: [node] };
  item.accessibilityInformation = {
    label: `${row.state} job ${oneLine(row.name ?? '')} ${item.description}`,
  };
  return item;
}

function jobIcon(row: JobRow): vscode.ThemeIcon {
  const warn = new vscode.ThemeColor('problemsWarningIcon.foreground');
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
