/** Removes jobs: after a question that shows them, and after a backup from which they can be brought back. */
import type * as vscode from 'vscode';
import { InputError } from '../../base/errors';
import { describeTransition } from '../../queue/stateMachine';
import { performAction } from '../platform/action';
import { confirmDestructive } from '../platform/destructive';
import { loadEngine } from '../platform/loadEngine';
import type { TreeNode } from '../platform/nodes';
import { withProgress } from '../platform/notify';
import type { Services } from '../platform/services';
import { oneLine } from '../platform/text';
import { showReport, summarize } from './bulkReport';
import { chooseTargets, groupByQueue, type TargetGroup } from './targets';

/** Removes the selection, the job of the node, or one that the user picks. */
export async function removeJobs(
  services: Services,
  node?: TreeNode,
  selection?: readonly TreeNode[],
): Promise<void> {
  const { from } = describeTransition('remove');
  const groups = groupByQueue(await chooseTargets(services, from, node, selection));
  // All questions come first: whoever says no to one of several queues finds nothing half done.
  for (const group of groups) await askFor(services, group);
  for (const group of groups) await removeGroup(services, group);
}

async function askFor(services: Services, group: TargetGroup): Promise<void> {
  const [{ connectionId, address }] = group;
  const connection = services.connections.find(connectionId);
  if (!connection) throw new InputError('This connection is no longer in the settings. Add it again.');
  const made = group.map(({ createdMs }) => createdMs).filter((ms) => ms !== undefined);
  await confirmDestructive(services, {
    connection,
    queue: address,
    action: 'Remove',
    count: group.length,
    ...(made.length === 0 ? {} : { oldest: Math.min(...made), newest: Math.max(...made) }),
    ids: group.map(({ id }) => id),
  });
}

async function removeGroup(services: Services, group: TargetGroup): Promise<void> {
  const { title } = describeTransition('remove');
  const [{ connectionId, address }] = group;
  const { Queue } = await loadEngine();
  const name = oneLine(address.queue, 60);
  const ids = group.map(({ id }) => id);
  const remove = (say: (text: string) => void, token: vscode.CancellationToken) =>
    performAction(
      services,
      { connectionId, address, name: title, ids },
      async (executor) => {
        const backup = services.backups.begin({ connectionId, server: executor.address, queue: address });
        const onProgress = ({ done, total }: { done: number; total: number }) => say(`${done} of ${total}`);
        return new Queue(executor, address).removeJobs(ids, { backup, cancellation: token, onProgress });
      },
      (report) => ({ ids: report.done, outcome: summarize(report) }),
    );
  try {
    const report = await withProgress(`Removing jobs of ${name}`, true, remove);
    showReport(services, `Remove from ${name}`, report);
  } finally {
    services.changes.fire({ connectionId, address });
  }
}
