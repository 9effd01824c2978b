/**
 * The closed set of codes with which a script says no. A negative reply of a protocol script is one of these, and
 * they are written down nowhere else.
 */
import type { ScriptId } from './registry.generated';

export interface ScriptCode {
  readonly code: number;
  /** The name that every runtime of the protocol uses. */
  readonly name: string;
  /** What it means, as a clause: "the job does not exist". */
  readonly meaning: string;
  /** What the user can do, as a sentence. */
  readonly advice: string;
}

export const SCRIPT_CODES: readonly ScriptCode[] = [
  {
    code: -1,
    name: 'JobNotExist',
    meaning: 'the job does not exist',
    advice: 'It may have been removed meanwhile. Refresh the queue.',
  },
  {
    code: -2,
    name: 'JobLockNotExist',
    meaning: 'the lock of the job is gone',
    advice: 'It lapsed or was released. Look at the job to see who has it now.',
  },
  {
    code: -3,
    name: 'JobNotInState',
    meaning: 'the job is no longer in the expected state',
    advice: 'Something moved it meanwhile. Refresh the queue to see where it is.',
  },
  {
    code: -4,
    name: 'JobPendingChildren',
    meaning: 'children of the job are still outstanding',
    advice: 'Wait until they have finished, or remove them.',
  },
  {
    code: -5,
    name: 'ParentJobNotExist',
    meaning: 'the parent job does not exist',
    advice: 'It may have been removed meanwhile. Add the parent first, or leave the parent out.',
  },
  {
    code: -6,
    name: 'JobLockMismatch',
    meaning: 'another worker holds the lock of the job',
    advice: 'Leave the job to that worker, or wait until its lock lapses.',
  },
  {
    code: -7,
    name: 'ParentJobCannotBeReplaced',
    meaning: 'a job of this id belongs to another parent, which still exists',
    advice: 'Choose another job id.',
  },
  {
    code: -8,
    name: 'JobBelongsToJobScheduler',
    meaning: 'the job is the pending iteration of a job scheduler',
    advice: 'Remove the scheduler instead.',
  },
  {
    code: -9,
    name: 'JobHasFailedChildren',
    meaning: 'children of the job have failed',
    advice: 'Retry the failed children first.',
  },
  {
    code: -10,
    name: 'SchedulerJobIdCollision',
    meaning: 'the next iteration of the job scheduler exists already',
    advice: 'Remove that job, or wait until it has finished.',
  },
  {
    code: -11,
    name: 'SchedulerJobSlotsBusy',
    meaning: 'this and the next iteration of the job scheduler exist already',
    advice: 'Remove one of these jobs, or wait until one has finished.',
  },
];

/** A reply that is a refusal in one script alone, whatever the number means elsewhere. */
export interface PrivateCode extends ScriptCode {
  readonly script: ScriptId;
}

/** The scripts with numbers of their own. They win over the closed set. */
export const PRIVATE_CODES: readonly PrivateCode[] = [
  {
    script: 'removeJob-2',
    code: 0,
    name: 'JobLocked',
    meaning: 'a worker holds the lock of the job, or of one of its children',
    advice: 'Wait until the worker is done, or until the lock lapses.',
  },
  {
    script: 'obliterate-2',
    code: -1,
    name: 'QueueNotPaused',
    meaning: 'the queue is not paused',
    advice: 'Pause it first, so that no worker takes what is about to go.',
  },
  {
    script: 'obliterate-2',
    code: -2,
    name: 'QueueHasActiveJobs',
    meaning: 'workers hold jobs of the queue',
    advice: 'Wait until they are done, or remove the queue with force.',
  },
  {
    script: 'tools/compareAndSetData-1',
    code: 0,
    name: 'JobDataChanged',
    meaning: 'its data changed since it was read, so nothing was written',
    advice: 'Open the job again and repeat the edit.',
  },
  {
    script: 'tools/resetStallCount-1',
    code: 0,
    name: 'StallCountChanged',
    meaning: 'its stall count changed since it was read, so nothing was written',
    advice: 'Open the job again to see it.',
  },
  {
    script: 'tools/removeUnchangedJob-2',
    code: 0,
    name: 'JobChanged',
    meaning: 'it changed since its backup was made, or holds bytes that are no text, so it was not removed',
    advice: 'Start again, or remove it alone.',
  },
  {
    script: 'tools/restoreJob-9',
    code: 0,
    name: 'JobExists',
    meaning: 'a job of this id exists again',
    advice: 'Remove that one first, if the backup is to take its place.',
  },
];

/** What a reply means; `undefined` for a number outside the set. A script's own meaning goes before the common one. */
export function findScriptCode(code: number, script?: string): ScriptCode | undefined {
  const own = PRIVATE_CODES.find((entry) => entry.script === script && entry.code === code);
  return own ?? SCRIPT_CODES.find((entry) => entry.code === code);
}

/** What a sentence about a refusal can name. */
export interface RefusalContext {
  readonly script: string;
  readonly jobId?: string;
  /** The state the job was expected in. */
  readonly expectedState?: string;
}

/** The sentences that say what a script refused, and what the user can do. Also for a code outside the set. */
export function describeRefusal(code: number, context: RefusalContext): string {
  const entry = findScriptCode(code, context.script);
  const subject = context.jobId === undefined ? '' : `Job ${context.jobId}: `;
  if (!entry) return `${subject}${context.script} answered with the unknown code ${code}.`;
  const meaning =
    entry.name === 'JobNotInState' && context.expectedState !== undefined
      ? `the job is no longer in the state "${context.expectedState}"`
      : entry.meaning;
  const clause = subject === '' ? meaning.charAt(0).toUpperCase() + meaning.slice(1) : meaning;
  return `${subject}${clause}. ${entry.advice}`;
}
