/** Moves of one job or several, from the tree or the palette, with a report. */
import * as vscode from 'vscode';
import type { JobState } from '../../keys/states';
import type { Queue } from '../../queue/queue';
import { describeFailure, performAction } from '../platform/action';
import { describeError } from '../platform/commands';
import { loadEngine } from '../platform/loadEngine';
import type { TreeNode } from '../platform/nodes';
import { showInfo, showWarning } from '../platform/notify';
import type { Services } from '../platform/services';
import { oneLine, plural } from '../platform/text';
import { chooseTargets, groupByQueue, type Target, type TargetGroup } from './targets';

/** Moves one job. */
export type RunMove = (queue: Queue, jobId: string, state: JobState) => Promise<unknown>;

/** A move of one job, in the words of its report. */
export interface Move {
  /** As the command is called: `Retry Job`. */
  readonly title: string;
  /** `Retried`. */
  readonly done: string;
  /** The states it starts from. */
  readonly from: readonly JobState[];
  /** Asks what there is to ask, once for all jobs. @throws vscode.CancellationError when the user leaves. */
  prepare(targets: readonly Target[]): Promise<RunMove>;
}

interface Failure {
  readonly id: string;
  readonly error: unknown;
}

/** Moves jobs of one queue, one after the other: one action of the journal. Those that fail do not keep the others. */
async function moveGroup(
  services: Services,
  move: Move,
  run: RunMove,
  group: TargetGroup,
): Promise<Failure[]> {
  const { Queue } = await loadEngine();
  const [{ connectionId, address }] = group;
  const failures: Failure[] = [];
  try {
    await performAction(
      services,
      { connectionId, address, name: move.title, ids: group.map(({ id }) => id) },
      async (executor) => {
        const queue = new Queue(executor, address);
        for (const { id, state } of group) {
          try {
            await run(queue, id, state);
          } catch (error) {
            // Without consent nothing is done, and nobody is asked once for each job.
            if (error instanceof vscode.CancellationError) throw error;
            failures.push({ id, error });
          }
        }
      },
      () => ({ outcome: describeGroup(group, failures) }),
    );
  } finally {
    services.changes.fire({ connectionId, address });
  }
  return failures;
}

function describeGroup(group: readonly Target[], failures: readonly Failure[]): string {
  const [first] = failures;
  if (!first) return 'done';
  if (group.length === 1) return describeFailure(first.error);
  const done = group.length - failures.length;
  return `${done} of ${group.length} done; ${oneLine(first.id, 40)}: ${describeError(first.error)}`;
}

/** Runs the move on the selection, on the node, or on a job that the user picks. */
export async function moveJobs(
  services: Services,
  move: Move,
  node?: TreeNode,
  selection?: readonly TreeNode[],
): Promise<void> {
  const targets = await chooseTargets(services, move.from, node, selection);
  const run = await move.prepare(targets);
  // Whoever says no to one of several connections finds nothing half done.
  for (const id of new Set(targets.map((t) => t.connectionId))) await services.connections.requireConsent(id);
  const failures: Failure[] = [];
  for (const group of groupByQueue(targets)) failures.push(...(await moveGroup(services, move, run, group)));
  const [first] = targets;
  // A single refusal is shown by the command's own error handling, with Retry where that can help.
  if (targets.length === 1 && failures[0]) throw failures[0].error;
  if (targets.length === 1 && first) {
    void showInfo(`${move.done} job ${oneLine(first.id)} of ${oneLine(first.address.queue)}.`);
    return;
  }
  const done = targets.length - failures.length;
  const reasons = failures.slice(0, 3).map((f) => `${oneLine(f.id, 40)}: ${describeError(f.error)}`);
  const text = `${move.done} ${done} of ${plural(targets.length, 'job')}.`;
  if (failures.length === 0) void showInfo(text);
  else void showWarning(`${text} ${failures.length} failed. ${reasons.join(' ')}`);
  for (const f of failures) services.log.warn(`${f.id}: ${describeError(f.error)}`);
}
