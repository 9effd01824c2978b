/** Retries or promotes all jobs of a state, in chunks, with progress, Cancel and an exact report. */
import * as vscode from 'vscode';
import { InputError } from '../../base/errors';
import type { JobState } from '../../keys/states';
import type { BulkOptions, BulkReport } from '../../queue/bulk';
import type { Queue } from '../../queue/queue';
import { describeTransition } from '../../queue/stateMachine';
import { performAction } from '../platform/action';
import { loadEngine } from '../platform/loadEngine';
import type { StateNode } from '../platform/nodes';
import { confirm, withProgress } from '../platform/notify';
import { pickOne, pickQueue } from '../platform/pick';
import type { Services } from '../platform/services';
import { oneLine, plural } from '../platform/text';
import { showReport, summarize } from './bulkReport';

type Bulk = 'retry' | 'promote';

const run = (queue: Queue, bulk: Bulk, state: JobState, ids: readonly string[], options: BulkOptions) =>
  bulk === 'retry' ? queue.retryJobs(ids, state, options) : queue.promoteJobs(ids, options);

/** @throws vscode.CancellationError when the user leaves. */
export async function moveAll(services: Services, bulk: Bulk, node?: StateNode): Promise<void> {
  const { title, from } = describeTransition(bulk);
  const { connectionId, address } = await pickQueue(services, node, 'write');
  const state = node?.kind === 'state' && from.includes(node.state) ? node.state : await pickState(from);
  const { Queue } = await loadEngine();
  const name = oneLine(address.queue, 60);
  const action = `${title}s`;
  const reader = new Queue(await services.connections.requireExecutor(connectionId), address);
  const { total } = await reader.readPage(state, { offset: 0, limit: 1 });
  if (total === 0) throw new InputError(`${name} has no ${state} job.`);
  await services.connections.requireConsent(connectionId);
  const verb = bulk === 'retry' ? 'Retry' : 'Promote';
  const detail = bulk === 'retry' ? ['The results of their last runs are dropped.'] : [];
  if (!(await confirm(`${verb} all ${plural(total, `${state} job`)} of ${name}?`, verb, detail))) {
    throw new vscode.CancellationError();
  }
  const move = async (say: (text: string) => void, token: vscode.CancellationToken) => {
    const options: BulkOptions = {
      cancellation: token,
      onProgress: ({ phase, done, total }) =>
        say(phase === 'choosing' ? `${done} of ${total} looked at` : `${done} of ${total}`),
    };
    return performAction(
      services,
      { connectionId, address, name: action },
      async (executor) => {
        const queue = new Queue(executor, address);
        return run(queue, bulk, state, await queue.chooseJobs({ state }, options), options);
      },
      (report: BulkReport) => ({ ids: report.done, outcome: summarize(report) }),
    );
  };
  try {
    const report = await withProgress(`${action} of ${name}`, true, move);
    showReport(services, `${action} of ${name}`, report);
  } finally {
    services.changes.fire({ connectionId, address });
  }
}

const pickState = (states: readonly JobState[]): Promise<JobState> =>
  states.length === 1 && states[0]
    ? Promise.resolve(states[0])
    : pickOne(
        'Of which state?',
        states.map((value) => ({ label: value, value })),
      );
