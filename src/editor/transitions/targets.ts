/** Which jobs a command is for: the selection, the node, or one that the user picks. */
import type { JobState } from '../../keys/states';
import type { JobNode, TreeNode } from '../platform/nodes';
import { pickJob, pickQueue, type QueueChoice } from '../platform/pick';
import type { Services } from '../platform/services';

export interface Target extends QueueChoice {
  readonly id: string;
  readonly state: JobState;
  /** When it was made, where that is known. */
  readonly createdMs?: number;
}

/** Jobs of one queue; there is at least one. */
export type TargetGroup = readonly [Target, ...Target[]];

const isJob = (node: TreeNode): node is JobNode => node.kind === 'job';

const toTarget = ({ connectionId, address, row }: JobNode): Target => ({
  connectionId,
  address,
  id: row.id,
  state: row.state,
  ...(row.createdMs === undefined ? {} : { createdMs: row.createdMs }),
});

/** The queue of a node, if it has one. */
export const toQueue = (node?: TreeNode): QueueChoice | undefined =>
  node && 'address' in node ? node : undefined;

/** The jobs in one of the states. @throws vscode.CancellationError when the user leaves. */
export async function chooseTargets(
  services: Services,
  from: readonly JobState[],
  node?: TreeNode,
  selection?: readonly TreeNode[],
): Promise<Target[]> {
  const nodes = (selection && selection.length > 0 ? selection : node ? [node] : []).filter(isJob);
  const targets = nodes.map(toTarget).filter((target) => from.includes(target.state));
  if (targets.length > 0) return targets;
  const queue = await pickQueue(services, toQueue(node), 'write');
  return [{ ...queue, ...(await pickJob(services, queue, from)) }];
}

/** The jobs of each queue, in the order in which they were selected. */
export function groupByQueue(targets: readonly Target[]): TargetGroup[] {
  const groups = new Map<string, [Target, ...Target[]]>();
  for (const target of targets) {
    const key = JSON.stringify([target.connectionId, target.address]);
    const group = groups.get(key);
    if (group) group.push(target);
    else groups.set(key, [target]);
  }
  return [...groups.values()];
}
