/** Asks for a new job step by step and adds it. */
import { findJobIdProblem } from '../../keys/jobId';
import type { NewJob } from '../../queue/types';
import { performAction } from '../platform/action';
import { loadEngine } from '../platform/loadEngine';
import { showInfo } from '../platform/notify';
import { pickQueue, type QueueChoice } from '../platform/pick';
import type { Services } from '../platform/services';
import { oneLine, parseSpan } from '../platform/text';
import { runWizard, type Steps } from '../platform/wizard';
import { findDelayProblem, findPriorityProblem, isWholeNumber } from './answers';

type Question = 'name' | 'data' | 'delay' | 'priority' | 'attempts' | 'jobId';

const STEPS: Steps<Question> = [
  ['name', () => ({ prompt: 'Job name', validate: (v) => (v === '' ? 'A job needs a name.' : undefined) })],
  [
    'data',
    () => ({ prompt: 'Data as JSON, stored as you write it', value: '{}', validate: findJsonProblem }),
  ],
  [
    'delay',
    () => ({
      prompt: 'Delay: 0, or for example 500 ms, 30s, 5m, 2h',
      value: '0',
      validate: findDelayProblem,
    }),
  ],
  [
    'priority',
    () => ({
      prompt: 'Priority: 0 for none, 1 is served first',
      value: '0',
      validate: findPriorityProblem,
    }),
  ],
  [
    'attempts',
    () => ({
      prompt: 'Attempts before the job fails',
      value: '1',
      validate: (v) =>
        isWholeNumber(v, 1_000_000) && Number(v) > 0 ? undefined : 'Attempts are a whole number from 1.',
    }),
  ],
  [
    'jobId',
    () => ({
      prompt: 'Custom job id (empty: the next number)',
      validate: (v) => (v === '' ? undefined : findJobIdProblem(v)),
    }),
  ],
];

function findJsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `The data is no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** @throws vscode.CancellationError when the user leaves. */
async function askForJob(title: string): Promise<NewJob> {
  const { name = '', data = '{}', delay = '0', priority, attempts, jobId } = await runWizard(title, STEPS);
  return {
    name,
    data,
    delayMs: parseSpan(delay) ?? 0,
    priority: Number(priority),
    attempts: Number(attempts),
    ...(jobId ? { jobId } : {}),
  };
}

/** Adds a job to the queue of the node, or to one the user picks. */
export async function addJob(services: Services, known?: QueueChoice): Promise<void> {
  const choice = await pickQueue(services, known, 'write');
  const name = oneLine(choice.address.queue);
  const job = await askForJob(`Add a job to ${name}`);
  const { Queue } = await loadEngine();
  const { id, outcome } = await performAction(
    services,
    { ...choice, name: 'Add Job' },
    (executor) => new Queue(executor, choice.address).addJob(job),
    (added) => ({
      ids: [added.id],
      ...(added.outcome === 'duplicate' && { outcome: 'nothing done: a job of that id exists' }),
    }),
  );
  services.changes.fire(choice);
  const text =
    outcome === 'duplicate'
      ? `${name} already has a job ${oneLine(id)}; nothing was added.`
      : `Added job ${oneLine(id)} to ${name}.`;
  void showInfo(text);
}
