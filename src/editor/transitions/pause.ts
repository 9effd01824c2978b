/** Pausing and resuming queues: the one of a row, the selected ones, or one that the user picks. */
import type { Queue } from '../../queue/queue';
import { describeTransition } from '../../queue/stateMachine';
import { performAction } from '../platform/action';
import { loadEngine } from '../platform/loadEngine';
import type { TreeNode } from '../platform/nodes';
import { showInfo } from '../platform/notify';
import { pickQueue, type QueueChoice } from '../platform/pick';
import type { Services } from '../platform/services';
import { oneLine } from '../platform/text';
import { toQueue } from './targets';

type Nodes = readonly [services: Services, node?: TreeNode, selection?: readonly TreeNode[]];

/** Workers fetch no further jobs; those that are active go on. */
export const pauseQueues = (...[services, node, selection]: Nodes): Promise<void> =>
  setPaused(services, 'pause', (queue) => queue.pause(), node, selection);

/** Workers fetch jobs again. */
export const resumeQueues = (...[services, node, selection]: Nodes): Promise<void> =>
  setPaused(services, 'resume', (queue) => queue.resume(), node, selection);

async function setPaused(
  services: Services,
  id: 'pause' | 'resume',
  run: (queue: Queue) => Promise<void>,
  node?: TreeNode,
  selection?: readonly TreeNode[],
): Promise<void> {
  const { title, done } = describeTransition(id);
  const nodes = (selection && selection.length > 0 ? selection : node ? [node] : []).filter(
    ({ kind }) => kind === 'queue',
  );
  const chosen = nodes.map(toQueue).filter((queue): queue is QueueChoice => queue !== undefined);
  const queues = chosen.length > 0 ? chosen : [await pickQueue(services, toQueue(node), 'write')];
  const { Queue } = await loadEngine();
  for (const { connectionId, address } of queues) {
    try {
      await performAction(services, { connectionId, address, name: title }, (executor) =>
        run(new Queue(executor, address)),
      );
    } finally {
      services.changes.fire({ connectionId, address });
    }
  }
  const names = queues.map(({ address }) => oneLine(address.queue, 60)).join(', ');
  void showInfo(`${names}: ${done}.`);
}
