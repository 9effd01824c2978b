/** Retry and promote: one job or several, from the tree or the palette, with a report. */
import type { JobState } from '../../keys/states';
import type { Queue } from '../../queue/queue';
import { describeError } from '../platform/commands';
import { loadEngine } from '../platform/loadEngine';
import type { JobNode, TreeNode } from '../platform/nodes';
import { showInfo, showWarning } from '../platform/notify';
import { pickJob, pickQueue, type QueueChoice } from '../platform/pick';
import type { Services } from '../platform/services';
import { oneLine, plural } from '../platform/text';

/** A move of one job, in the words of its report. */
export interface Move {
  /** `Retried`. */
  readonly done: string;
  /** The states it starts from. */
  readonly from: readonly JobState[];
  run(queue: Queue, jobId: string, state: JobState): Promise<unknown>;
}

interface Target extends QueueChoice {
  readonly id: string;
  readonly state: JobState;
}

const isJob = (node: TreeNode): node is JobNode => node.kind === 'job';

const toTarget = ({ connectionId, address, row }: JobNode): Target => ({
  connectionId,
  address,
  id: row.id,
  state: row.state,
});

/** Runs the move on the selection, on the node, or on a job that the user picks. */
export async function moveJobs(
  services: Services,
  move: Move,
  node?: TreeNode,
  selection?: readonly TreeNode[],
): Promise<void> {
  const nodes = (selection && selection.length > 0 ? selection : node ? [node] : []).filter(isJob);
  const targets = nodes.map(toTarget).filter((t) => move.from.includes(t.state));
  if (targets.length === 0) {
    const queue = await pickQueue(services, node && 'address' in node ? node : undefined);
    const job = await pickJob(services, queue, move.from);
    targets.push({ ...queue, ...job });
  }
  const { Queue } = await loadEngine();
  const failures: { id: string; error: unknown }[] = [];
  const touched = new Map<string, QueueChoice>();
  for (const { connectionId, address, id, state } of targets) {
    touched.set(JSON.stringify([connectionId, address]), { connectionId, address });
    try {
      const executor = await services.connections.requireExecutor(connectionId);
      await move.run(new Queue(executor, address), id, state);
    } catch (error) {
      failures.push({ id, error });
    }
  }
  for (const choice of touched.values()) services.changes.fire(choice);
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
