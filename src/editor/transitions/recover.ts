/**
 * Forced stall recovery: the user sees first what would happen to each active job without a lock, chooses, and gets
 * the ids back. A job that holds a lock is never offered, and the script leaves it alone even if it is.
 */
import * as vscode from 'vscode';
import { describeTransition } from '../../queue/stateMachine';
import type { RecoveryCandidate, RecoveryReport } from '../../queue/types';
import { performAction } from '../platform/action';
import { loadEngine } from '../platform/loadEngine';
import { confirm, showInfo } from '../platform/notify';
import { pickQueue, type QueueChoice } from '../platform/pick';
import type { Services } from '../platform/services';
import { formatSpan, oneLine, plainLabel, plural } from '../platform/text';

const DEFAULT_LIMIT = 1;

/** What the recovery would do to a job, before it is done. */
function describeOutcome(candidate: RecoveryCandidate, limit: number): string {
  const count = candidate.stallCount + 1;
  if (candidate.isExempt) return `returns to wait (stall ${count}; jobs of a scheduler have no limit)`;
  return count > limit
    ? `will be failed by the next worker (stall ${count}, limit ${limit})`
    : `returns to wait (stall ${count} of ${limit})`;
}

/** Recovers chosen jobs of the queue of the node, or of one the user picks. */
export async function recoverStalled(services: Services, known?: QueueChoice): Promise<void> {
  const choice = await pickQueue(services, known, 'write');
  const name = oneLine(choice.address.queue);
  const executor = await services.connections.requireExecutor(choice.connectionId);
  const { Queue } = await loadEngine();
  const queue = new Queue(executor, choice.address);
  const { candidates, searched, total } = await queue.findRecoveryCandidates();
  const scope = searched < total ? ` The first ${searched} of ${total} active jobs were looked at.` : '';
  if (candidates.length === 0) {
    void showInfo(`${name} has no active job without a lock: nothing to recover.${scope}`);
    return;
  }
  const limitText = await vscode.window.showInputBox({
    title: `Force stall recovery in ${name}`,
    prompt:
      'Stall limit: the maxStalledCount of your workers. It is an option of a worker and not kept in Redis.',
    value: `${DEFAULT_LIMIT}`,
    ignoreFocusOut: true,
    validateInput: (v) =>
      /^\d{1,6}$/.test(v) ? undefined : 'The stall limit is a whole number; workers use 1 by default.',
  });
  if (limitText === undefined) return;
  const limit = Number(limitText);
  const now = Date.now();
  const items = candidates.map((candidate) => {
    const since =
      candidate.row.processedMs === undefined
        ? ''
        : ` · picked up ${formatSpan(now - candidate.row.processedMs)} ago`;
    return {
      label: plainLabel(candidate.row.name ?? '(no name)'),
      description: `#${plainLabel(candidate.id)}${since}`,
      detail: describeOutcome(candidate, limit),
      id: candidate.id,
    };
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: `Jobs of ${name} without a lock: choose which to recover`,
    placeHolder: 'Tick the jobs to recover',
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (!chosen || chosen.length === 0) return;
  const question = `Recover ${plural(chosen.length, 'job')} of ${name}?`;
  const warning = [
    'A job without a lock may still be running: its lock lapsed, or it was taken without one. It would then run twice.',
  ];
  if (!(await confirm(question, 'Recover', warning))) return;
  const ids = chosen.map((c) => c.id);
  const report = await performAction(
    services,
    { ...choice, name: describeTransition('recover').title, ids },
    (writer) => new Queue(writer, choice.address).recoverStalled(ids, limit),
    ({ recovered, skipped }) => ({
      outcome: `recovered ${recovered.length}, left alone ${skipped.length}`,
    }),
  );
  services.changes.fire(choice);
  await showReport(services, name, report);
}

async function showReport(services: Services, name: string, report: RecoveryReport): Promise<void> {
  const list = (ids: readonly string[]) =>
    ids
      .slice(0, 10)
      .map((id) => oneLine(id, 40))
      .join(', ') + (ids.length > 10 ? '…' : '');
  const parts = [
    `Recovered ${plural(report.recovered.length, 'job')} of ${name}${report.recovered.length ? `: ${list(report.recovered)}` : ''}.`,
  ];
  if (report.willFail.length > 0) parts.push(`The next worker will fail ${list(report.willFail)}.`);
  if (report.skipped.length > 0) {
    parts.push(
      `Left alone: ${report.skipped
        .slice(0, 5)
        .map((s) => `${oneLine(s.id, 40)} (${s.reason})`)
        .join(', ')}.`,
    );
  }
  services.log.info(`Forced stall recovery in ${name}: recovered ${report.recovered.join(', ') || 'none'}.`);
  void showInfo(parts.join(' '));
}
