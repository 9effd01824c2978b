/** The commands that move jobs. What they may start from is read from the state-machine table. */
import { COMMANDS } from '../contributions';
import { registerCommand } from '../platform/commands';
import type { TreeNode } from '../platform/nodes';
import type { QueueChoice } from '../platform/pick';
import type { Services } from '../platform/services';
import { addJob } from './addJob';
import { type Move, moveJobs } from './move';
import { recoverStalled } from './recover';

const RETRY: Move = {
  done: 'Retried',
  from: ['failed', 'completed'],
  run: (queue, id, state) => queue.retryJob(id, state === 'completed' ? 'completed' : 'failed'),
};

const PROMOTE: Move = { done: 'Promoted', from: ['delayed'], run: (queue, id) => queue.promoteJob(id) };

const toQueue = (node?: TreeNode): QueueChoice | undefined => (node && 'address' in node ? node : undefined);

/** Registers add, retry, promote and forced stall recovery. */
export function registerTransitions(services: Services): void {
  const { context, log } = services;
  context.subscriptions.push(
    registerCommand(log, COMMANDS.addJob, (node?: TreeNode) => addJob(services, toQueue(node))),
    registerCommand(log, COMMANDS.retryJob, (node?: TreeNode, all?: TreeNode[]) =>
      moveJobs(services, RETRY, node, all),
    ),
    registerCommand(log, COMMANDS.promoteJob, (node?: TreeNode, all?: TreeNode[]) =>
      moveJobs(services, PROMOTE, node, all),
    ),
    registerCommand(log, COMMANDS.recoverStalled, (node?: TreeNode) =>
      recoverStalled(services, toQueue(node)),
    ),
  );
}
