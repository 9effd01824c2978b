/**
 * The state machine of a job, as one table. What it does not list is refused before anything is sent, and whoever
 * offers, draws or documents transitions reads them from here.
 *
 * A transition starts in one of its `from` states and ends in one of its `to` states. `from` is empty for what makes
 * a job, and `to` for what removes one. More than one `to` means that the script decides: a paused queue receives in
 * `paused`, a job with a priority in `prioritized`. A change that leaves the job where it is has the same states twice.
 */
import { InputError } from '../base/errors';
import { describeState, type JobState, STATE_NAMES } from '../keys/states';
import type { ScriptId } from '../scripts/registry.generated';

export type TransitionId =
  | 'addStandard'
  | 'addDelayed'
  | 'addPrioritized'
  | 'promote'
  | 'retry'
  | 'recover'
  | 'remove'
  | 'changeDelay'
  | 'changePriority'
  | 'editData'
  | 'resetStalls'
  | 'removeBackedUp'
  | 'restore'
  | 'obliterate'
  | 'pause'
  | 'resume';

export interface Transition {
  readonly id: TransitionId;
  /** The name a person reads, as a command. */
  readonly title: string;
  /** Whether it is asked for a job, or for a queue as a whole. */
  readonly subject: 'job' | 'queue';
  /** What it does, as a past participle: "a completed job cannot be …". */
  readonly done: string;
  readonly from: readonly JobState[];
  readonly to: readonly JobState[];
  /** The scripts that perform it, in the order in which they run. */
  readonly scripts: readonly ScriptId[];
  /** True when something of the job is lost that nothing can bring back. */
  readonly destroysData: boolean;
  /** One sentence for a tooltip or a document. */
  readonly meaning: string;
}

export const TRANSITIONS: readonly Transition[] = [
  {
    id: 'addStandard',
    title: 'Add Job',
    subject: 'job',
    done: 'added',
    from: [],
    to: ['wait', 'paused'],
    scripts: ['addStandardJob-9'],
    destroysData: false,
    meaning: 'Makes a job that is ready to run.',
  },
  {
    id: 'addDelayed',
    title: 'Add Delayed Job',
    subject: 'job',
    done: 'added with a delay',
    from: [],
    to: ['delayed'],
    scripts: ['addDelayedJob-6'],
    destroysData: false,
    meaning: 'Makes a job that runs later.',
  },
  {
    id: 'addPrioritized',
    title: 'Add Prioritized Job',
    subject: 'job',
    done: 'added with a priority',
    from: [],
    to: ['prioritized'],
    scripts: ['addPrioritizedJob-9'],
    destroysData: false,
    meaning: 'Makes a job that is ready to run in the order of its priority.',
  },
  {
    id: 'promote',
    title: 'Promote Job',
    subject: 'job',
    done: 'promoted',
    from: ['delayed'],
    to: ['wait', 'paused', 'prioritized'],
    scripts: ['promote-9'],
    destroysData: false,
    meaning: 'Makes a delayed job ready to run now.',
  },
  {
    id: 'retry',
    title: 'Retry Job',
    subject: 'job',
    done: 'retried',
    from: ['failed', 'completed'],
    to: ['wait', 'paused'],
    scripts: ['reprocessJob-8'],
    // The return value or the reason of the failure is dropped, and the dates of the run.
    destroysData: true,
    meaning: 'Runs a finished job again; the result of its last run is dropped.',
  },
  {
    id: 'recover',
    title: 'Force Stall Recovery',
    subject: 'job',
    done: 'recovered',
    from: ['active'],
    to: ['wait', 'paused'],
    scripts: ['tools/fillRecoverySet-1', 'moveStalledJobsToWait-8', 'tools/dropRecoveryKeys-2'],
    destroysData: false,
    meaning: 'Puts an active job whose worker let the lock lapse back to run.',
  },
  {
    id: 'remove',
    title: 'Remove Job',
    subject: 'job',
    done: 'removed',
    from: STATE_NAMES,
    to: [],
    scripts: ['removeJob-2'],
    destroysData: true,
    meaning: 'Removes a job that no worker holds, with its logs.',
  },
  {
    id: 'changeDelay',
    title: 'Change Delay',
    subject: 'job',
    done: 'given another delay',
    from: ['delayed'],
    to: ['delayed'],
    scripts: ['changeDelay-4'],
    destroysData: false,
    meaning: 'Makes a delayed job run at another time.',
  },
  {
    id: 'changePriority',
    title: 'Change Priority',
    subject: 'job',
    done: 'given another priority',
    from: ['wait', 'paused', 'prioritized', 'delayed'],
    to: ['wait', 'paused', 'prioritized', 'delayed'],
    scripts: ['changePriority-7'],
    destroysData: false,
    meaning: 'Moves a job to its new place among those that are ready; a delayed one has it when it is due.',
  },
  {
    id: 'editData',
    title: 'Edit Data',
    subject: 'job',
    done: 'edited',
    from: STATE_NAMES,
    to: STATE_NAMES,
    scripts: ['tools/compareAndSetData-1'],
    // What was there before is overwritten.
    destroysData: true,
    meaning: 'Replaces the data of a job, if nothing changed it since it was read.',
  },
  {
    id: 'resetStalls',
    title: 'Reset Stall Count',
    subject: 'job',
    done: 'given a new stall count',
    from: STATE_NAMES,
    to: STATE_NAMES,
    scripts: ['tools/resetStallCount-1'],
    // How often it had stalled is known no more.
    destroysData: true,
    meaning: 'Forgets how often a job has stalled, so that its next run is not failed at once for that.',
  },
  {
    id: 'removeBackedUp',
    title: 'Remove Jobs',
    subject: 'queue',
    done: 'removed',
    from: STATE_NAMES,
    to: [],
    scripts: ['tools/removeUnchangedJob-2'],
    destroysData: true,
    meaning: 'Removes jobs of which a backup was made, if nothing changed them since.',
  },
  {
    id: 'restore',
    title: 'Restore Jobs',
    subject: 'queue',
    done: 'restored',
    from: [],
    to: STATE_NAMES,
    scripts: ['tools/restoreJob-9'],
    destroysData: false,
    meaning: 'Brings removed jobs back from a backup, each into its state and to its place.',
  },
  {
    id: 'obliterate',
    title: 'Remove Queue',
    subject: 'queue',
    done: 'removed with its queue',
    from: STATE_NAMES,
    to: [],
    scripts: ['obliterate-2'],
    destroysData: true,
    meaning: 'Removes a queue with all its jobs, schedulers and settings.',
  },
  {
    id: 'pause',
    title: 'Pause Queue',
    subject: 'queue',
    done: 'paused',
    from: ['wait'],
    to: ['paused'],
    scripts: ['pause-7'],
    destroysData: false,
    meaning: 'Keeps workers from fetching further jobs; those that are active go on.',
  },
  {
    id: 'resume',
    title: 'Resume Queue',
    subject: 'queue',
    done: 'resumed',
    from: ['paused'],
    to: ['wait'],
    scripts: ['pause-7'],
    destroysData: false,
    meaning: 'Lets workers fetch jobs again.',
  },
];

/** The row of a transition. */
export function describeTransition(id: TransitionId): Transition {
  const row = TRANSITIONS.find((transition) => transition.id === id);
  if (!row) throw new Error(`"${id}" is no transition.`);
  return row;
}

/** The transitions of a job that may start in a state, in the order of the table. */
export function legalTransitions(state: JobState): readonly Transition[] {
  return TRANSITIONS.filter((transition) => transition.subject === 'job' && transition.from.includes(state));
}

/** @throws InputError that says from which states the transition starts, when it may not start in this one. */
export function requireLegal(id: TransitionId, state: JobState): Transition {
  const transition = describeTransition(id);
  if (transition.from.includes(state)) return transition;
  const starts = transition.from.map((from) => `"${describeState(from).title}"`).join(' or ');
  throw new InputError(
    `A job in the state "${describeState(state).title}" cannot be ${transition.done}, only one in ${starts}.`,
  );
}
