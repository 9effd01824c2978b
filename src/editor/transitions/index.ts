/** The commands that move jobs. What they may start from is read from the state-machine table. */
import { COMMANDS } from '../contributions';
import { registerWriteCommand } from '../platform/commands';
import type { StateNode, TreeNode } from '../platform/nodes';
import type { Services } from '../platform/services';
import { addJob } from './addJob';
import { type Move, moveJobs } from './move';
import { moveAll } from './moveAll';
import { CHANGE_DELAY, CHANGE_PRIORITY, PROMOTE, RETRY } from './moves';
import { pauseQueues, resumeQueues } from './pause';
import { recoverStalled } from './recover';
import { removeJobs } from './remove';
import { restoreJobs } from './restore';
import { toQueue } from './targets';

/** Registers the commands that write jobs and queues. */
export function registerTransitions(services: Services): void {
  const { context } = services;
  const onJobs = (id: Parameters<typeof registerWriteCommand>[1], move: Move) =>
    registerWriteCommand(services, id, (node?: TreeNode, all?: TreeNode[]) =>
      moveJobs(services, move, node, all),
    );
  context.subscriptions.push(
    registerWriteCommand(services, COMMANDS.addJob, (node?: TreeNode) => addJob(services, toQueue(node))),
    onJobs(COMMANDS.retryJob, RETRY),
    onJobs(COMMANDS.promoteJob, PROMOTE),
    onJobs(COMMANDS.changeDelay, CHANGE_DELAY),
    onJobs(COMMANDS.changePriority, CHANGE_PRIORITY),
    registerWriteCommand(services, COMMANDS.retryAll, (node?: StateNode) => moveAll(services, 'retry', node)),
    registerWriteCommand(services, COMMANDS.promoteAll, (node?: StateNode) =>
      moveAll(services, 'promote', node),
    ),
    registerWriteCommand(services, COMMANDS.recoverStalled, (node?: TreeNode) =>
      recoverStalled(services, toQueue(node)),
    ),
    registerWriteCommand(services, COMMANDS.pauseQueue, (node?: TreeNode, all?: TreeNode[]) =>
      pauseQueues(services, node, all),
    ),
    registerWriteCommand(services, COMMANDS.resumeQueue, (node?: TreeNode, all?: TreeNode[]) =>
      resumeQueues(services, node, all),
    ),
    registerWriteCommand(services, COMMANDS.removeJob, (node?: TreeNode, all?: TreeNode[]) =>
      removeJobs(services, node, all),
    ),
    registerWriteCommand(services, COMMANDS.restoreJobs, () => restoreJobs(services)),
  );
}
