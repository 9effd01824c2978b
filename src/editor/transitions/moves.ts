/** The moves of single jobs. */
import * as vscode from 'vscode';
import { MAX_PRIORITY } from '../../keys/jobId';
import { describeTransition, type TransitionId } from '../../queue/stateMachine';
import { oneLine, parseSpan, plural } from '../platform/text';
import { findDelayProblem, findPriorityProblem } from './answers';
import type { Move } from './move';
import type { Target } from './targets';

const describe = (id: TransitionId) => {
  const { title, from } = describeTransition(id);
  return { title, from };
};

export const RETRY: Move = {
  ...describe('retry'),
  done: 'Retried',
  prepare: async () => (queue, id, state) => queue.retryJob(id, state),
};

export const PROMOTE: Move = {
  ...describe('promote'),
  done: 'Promoted',
  prepare: async () => (queue, id) => queue.promoteJob(id),
};

export const CHANGE_DELAY: Move = {
  ...describe('changeDelay'),
  done: 'Changed the delay of',
  prepare: async (targets) => {
    const text = await ask(targets, {
      prompt: 'Runs so long from now, for example 500 ms, 30s, 5m, 2h',
      value: '1m',
      validateInput: findDelayProblem,
    });
    const delayMs = parseSpan(text) ?? 0;
    return (queue, id) => queue.changeDelay(id, delayMs);
  },
};

export const CHANGE_PRIORITY: Move = {
  ...describe('changePriority'),
  done: 'Changed the priority of',
  prepare: async (targets) => {
    const text = await ask(targets, {
      prompt: `Priority: 0 for none, 1 is served first, up to ${MAX_PRIORITY}`,
      value: '1',
      validateInput: findPriorityProblem,
    });
    return (queue, id, state) => queue.changePriority(id, state, Number(text));
  },
};

async function ask(targets: readonly Target[], options: vscode.InputBoxOptions): Promise<string> {
  const [first] = targets;
  const what = targets.length === 1 && first ? `Job ${oneLine(first.id, 60)}` : plural(targets.length, 'job');
  const answer = await vscode.window.showInputBox({ title: what, ignoreFocusOut: true, ...options });
  if (answer === undefined) throw new vscode.CancellationError();
  return answer;
}
