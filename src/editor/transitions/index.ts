/** The commands that move jobs. What they may start from is read from the state-machine table. */
import { describeTransition } from '../../queue/stateMachine';
import { COMMANDS } from '../contributions';
import { registerWriteCommand } from '../platform/commands';
import type { TreeNode } from '../platform/nodes';
import type { QueueChoice } from '../platform/pick';
import type { Services } from '../platform/services';
import { addJob } from './addJob';
import { type Move, moveJobs } from './move';
import { recoverStalled } from './recover';

const RETRY: Move = {
  title: describeTransition('retry').title,
  done: 'Retried',
  from: ['failed', 'completed'],
  run: (queue, id, state) => queue.retryJob(id, state === 'completed' ? 'completed' : 'failed'),
};

const PROMOTE: Move = {
  title: describeTransition('promote').title,
  done: 'Promoted',
  from: ['delayed'],
  run: (queue, id) => queue.promoteJob(id),
};

const toQueue = (node?: TreeNode): QueueChoice | undefined => (node && 'address' in node ? node : undefined);

/** Registers add, retry, promote and forced stall recovery. */
export function registerTransitions(services: Services): void {
  const { context } = services;
  context.subscriptions.push(
    registerWriteCommand(services, COMMANDS.addJob, (node?: TreeNode) => addJob(services, toQueue(node))),
    registerWriteCommand(services, COMMANDS.retryJob, (node?: TreeNode, all?: TreeNode[]) =>
      moveJobs(services, RETRY, node, all),
    ),
    registerWriteCommand(services, COMMANDS.promoteJob, (node?: TreeNode, all?: TreeNode[]) =>
      moveJobs(services, PROMOTE, node, all),
    ),
    registerWriteCommand(services, COMMANDS.recoverStalled, (node?: TreeNode) =>
      recoverStalled(services, toQueue(node)),
    ),
  );
}
