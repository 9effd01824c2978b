/** Adds a job: checks what only the client checks, packs the arguments, and chooses the script. */
import { encode } from '@msgpack/msgpack';
import { InputError } from '../base/errors';
import type { ScriptCall } from '../executor/types';
import { findJobIdProblem, MAX_DELAY_MS, MAX_PRIORITY } from '../keys/jobId';
import type { Keys } from '../keys/keys';
import { describeTransition, type TransitionId } from './stateMachine';
import type { NewJob } from './types';

/** @throws InputError with a sentence that says which part of the job cannot be as it is. */
export function requireValidJob(job: NewJob): void {
  if (job.name === '') throw new InputError('A job needs a name; its worker chooses by it what to do.');
  requireJson(job.data);
  requireDelay(job.delayMs);
  requirePriority(job.priority);
  requireWhole('number of attempts', job.attempts, Number.MAX_SAFE_INTEGER, 'a whole number');
  const problem = job.jobId === undefined ? undefined : findJobIdProblem(job.jobId);
  if (problem !== undefined) throw new InputError(problem);
}

/** @throws InputError when the text is no JSON. */
export function requireJson(data: string): void {
  try {
    JSON.parse(data);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`The data is no JSON: ${reason}`);
  }
}

/** @throws InputError when the delay is no whole number of ms that a score can hold. */
export const requireDelay = (delayMs: number | undefined) =>
  requireWhole('delay', delayMs, MAX_DELAY_MS, `a whole number of milliseconds up to ${MAX_DELAY_MS}`);

/** @throws InputError when the priority is none that the protocol has. */
export const requirePriority = (priority: number | undefined) =>
  requireWhole('priority', priority, MAX_PRIORITY, `a whole number from 0 to ${MAX_PRIORITY}`);

function requireWhole(what: string, value: number | undefined, max: number, form: string): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= max)) return;
  throw new InputError(`The ${what} must be ${form}, not ${value}.`);
}

/** A delay decides before a priority does: the priority counts when the delay is over. */
export function chooseAddTransition(job: NewJob): TransitionId {
  if ((job.delayMs ?? 0) > 0) return 'addDelayed';
  return (job.priority ?? 0) > 0 ? 'addPrioritized' : 'addStandard';
}

/** The call that adds a job which {@link requireValidJob} let pass. */
export function addCall(keys: Keys, job: NewJob, timestampMs: number): ScriptCall {
  const transition = chooseAddTransition(job);
  return {
    script: describeTransition(transition).scripts[0] ?? '',
    keys: keysFor(transition, keys),
    args: [packArguments(keys, job, timestampMs), job.data, packOptions(job)],
    queueKey: keys.queueKey,
  };
}

function keysFor(transition: TransitionId, k: Keys): string[] {
  switch (transition) {
    case 'addDelayed':
      return [k.marker(), k.meta(), k.id(), k.delayed(), k.completed(), k.events()];
    case 'addPrioritized':
      return [
        k.marker(),
        k.meta(),
        k.id(),
        k.prioritized(),
        k.delayed(),
        k.completed(),
        k.active(),
        k.events(),
        k.priorityCounter(),
      ];
    default:
      return [
        k.wait(),
        k.paused(),
        k.meta(),
        k.id(),
        k.completed(),
        k.delayed(),
        k.active(),
        k.events(),
        k.marker(),
      ];
  }
}

/** The five that follow the timestamp belong to flows, schedulers and deduplication. */
const packArguments = (keys: Keys, job: NewJob, timestampMs: number) =>
  encode([keys.base, job.jobId ?? '', job.name, timestampMs, null, null, null, null, null]);

/** `attempts` is always there, the others only when given. */
function packOptions({ attempts = 0, delayMs, priority, jobId }: NewJob): Uint8Array {
  return encode({ attempts, delay: delayMs, priority, jobId }, { ignoreUndefined: true });
}
