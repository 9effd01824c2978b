/**
 * The state machine of a job, as one table. What it does not list is refused before anything is sent, and whoever
 * offers, draws or documents transitions reads them from here.
 *
 * A transition starts in one of its `from` states and ends in one of its `to` states. `from` is empty for what makes
 * a job. More than one `to` means that the script decides: a paused queue receives in `paused`, a job with a
 * priority in `prioritized`.
 */
import { InputError } from '../base/errors';
import { describeState, type JobState } from '../keys/states';
import type { ScriptId } from '../scripts/registry.generated';

export type TransitionId = 'addStandard' | 'addDelayed' | 'addPrioritized' | 'promote' | 'retry' | 'recover';

export interface Transition {
  readonly id: TransitionId;
  /** The name a person reads, as a command. */
  readonly title: string;
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
    done: 'recovered',
    from: ['active'],
    to: ['wait', 'paused'],
    scripts: ['tools/fillRecoverySet-1', 'moveStalledJobsToWait-8', 'tools/dropRecoveryKeys-2'],
    destroysData: false,
    meaning: 'Puts an active job whose worker let the lock lapse back to run.',
  },
];

/** The row of a transition. */
export function describeTransition(id: TransitionId): Transition {
  const row = TRANSITIONS.find((transition) => transition.id === id);
  if (!row) throw new Error(`"${id}" is no transition.`);
  return row;
}

/** The transitions that may start in a state, in the order of the table. */
export function legalTransitions(state: JobState): readonly Transition[] {
  return TRANSITIONS.filter((transition) => transition.from.includes(state));
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
