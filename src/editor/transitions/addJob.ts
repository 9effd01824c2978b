/** Asks for a new job step by step and adds it. */
import * as vscode from 'vscode';
import { findJobIdProblem, MAX_PRIORITY } from '../../keys/jobId';
import type { NewJob } from '../../queue/types';
import { pickQueue, type QueueChoice } from '../platform/pick';
import type { Services } from '../platform/services';
import { oneLine, parseSpan } from '../platform/text';

async function ask(
  title: string,
  prompt: string,
  value: string,
  validate: (v: string) => string | undefined,
): Promise<string> {
  const answer = await vscode.window.showInputBox({
    title,
    prompt,
    value,
    validateInput: validate,
    ignoreFocusOut: true,
  });
  if (answer === undefined) throw new vscode.CancellationError();
  return answer;
}

function findJsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `The data is no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const wholeNumber = (text: string, max: number) => /^\d{1,10}$/.test(text) && Number(text) <= max;

async function askForJob(title: string): Promise<NewJob> {
  const name = await ask(title, 'Job name', '', (v) => (v === '' ? 'A job needs a name.' : undefined));
  const data = await ask(title, 'Data as JSON, stored as you write it', '{}', findJsonProblem);
  const delay = await ask(title, 'Delay: 0, or for example 500 ms, 30s, 5m, 2h', '0', (v) =>
    parseSpan(v) === undefined ? 'A delay is a number with ms, s, m, h or d.' : undefined,
  );
  const priority = await ask(title, 'Priority: 0 for none, 1 is served first', '0', (v) =>
    wholeNumber(v, MAX_PRIORITY) ? undefined : `A priority is a whole number from 0 to ${MAX_PRIORITY}.`,
  );
  const attempts = await ask(title, 'Attempts before the job fails', '1', (v) =>
    wholeNumber(v, 1_000_000) && Number(v) > 0 ? undefined : 'Attempts are a whole number from 1.',
  );
  const jobId = await ask(title, 'Custom job id (empty: the next number)', '', (v) =>
    v === '' ? undefined : findJobIdProblem(v),
  );
  return {
    name,
    data,
    delayMs: parseSpan(delay) ?? 0,
    priority: Number(priority),
    attempts: Number(attempts),
    ...(jobId !== '' && { jobId }),
  };
}

/** Adds a job to the queue of the node, or to one the user picks. */
export async function addJob(services: Services, known?: QueueChoice): Promise<void> {
  const choice = await pickQueue(services, known);
  const name = oneLine(choice.address.queue);
  const job = await askForJob(`Add a job to ${name}`);
  const executor = await services.connections.requireExecutor(choice.connectionId);
  const { Queue } = await import('../../queue/queue');
  const { id, outcome } = await new Queue(executor, choice.address).addJob(job);
  services.changes.fire(choice);
  const text =
    outcome === 'duplicate'
      ? `${name} already has a job ${oneLine(id)}; nothing was added.`
      : `Added job ${oneLine(id)} to ${name}.`;
  void vscode.window.showInformationMessage(text);
}
