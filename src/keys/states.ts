/**
 * The eight states of a job. A job is in exactly one of them at any time, and each state is one Redis key.
 *
 * This table is the only place where a state's key, type and order are written down: the tree, the readers,
 * the lifecycle view and the documents take them from here.
 */

/** A state's name, which is also the last part of its Redis key. */
export type JobState =
  | 'wait'
  | 'paused'
  | 'delayed'
  | 'prioritized'
  | 'active'
  | 'completed'
  | 'failed'
  | 'waiting-children';

/** How a state's key holds its jobs. */
export interface StateDescription {
  readonly state: JobState;
  /** The name a person reads. */
  readonly title: string;
  readonly type: 'list' | 'zset';
  /** Lists: which end is served next. Sorted sets: what the score means. */
  readonly order: string;
  /** The function of {@link Keys} that builds the key. */
  readonly keyFunction:
    | 'wait'
    | 'paused'
    | 'delayed'
    | 'prioritized'
    | 'active'
    | 'completed'
    | 'failed'
    | 'waitingChildren';
  /** The same function as the Elixir runtime names it. */
  readonly elixirKeyFunction: string;
  /** No transition of a worker leads out of a terminal state. */
  readonly terminal: boolean;
  /** One sentence for a tooltip or a document. */
  readonly meaning: string;
}

export const STATES: readonly StateDescription[] = [
  {
    state: 'wait',
    title: 'Wait',
    type: 'list',
    order: 'head is newest; workers take from the tail',
    keyFunction: 'wait',
    elixirKeyFunction: 'EchoMQ.Keys.wait/1',
    terminal: false,
    meaning: 'Ready to run, without a priority.',
  },
  {
    state: 'paused',
    title: 'Paused',
    type: 'list',
    order: 'head is newest; becomes wait when the queue resumes',
    keyFunction: 'paused',
    elixirKeyFunction: 'EchoMQ.Keys.paused/1',
    terminal: false,
    meaning: 'Ready to run, held back because the queue is paused.',
  },
  {
    state: 'delayed',
    title: 'Delayed',
    type: 'zset',
    order: 'score is the due time in ms × 4096 plus a sequence number',
    keyFunction: 'delayed',
    elixirKeyFunction: 'EchoMQ.Keys.delayed/1',
    terminal: false,
    meaning: 'Runs later: after a delay, or after the backoff of a failed attempt.',
  },
  {
    state: 'prioritized',
    title: 'Prioritized',
    type: 'zset',
    order: 'score is the priority × 2^32 plus a counter; the lowest is served first',
    keyFunction: 'prioritized',
    elixirKeyFunction: 'EchoMQ.Keys.prioritized/1',
    terminal: false,
    meaning: 'Ready to run, ordered by priority; served after the jobs in wait.',
  },
  {
    state: 'active',
    title: 'Active',
    type: 'list',
    order: 'head was fetched last',
    keyFunction: 'active',
    elixirKeyFunction: 'EchoMQ.Keys.active/1',
    terminal: false,
    meaning: 'Picked up by a worker, which holds the lock of the job while it runs.',
  },
  {
    state: 'completed',
    title: 'Completed',
    type: 'zset',
    order: 'score is the finish time in ms',
    keyFunction: 'completed',
    elixirKeyFunction: 'EchoMQ.Keys.completed/1',
    terminal: true,
    meaning: 'Finished with a return value.',
  },
  {
    state: 'failed',
    title: 'Failed',
    type: 'zset',
    order: 'score is the finish time in ms',
    keyFunction: 'failed',
    elixirKeyFunction: 'EchoMQ.Keys.failed/1',
    terminal: true,
    meaning: 'Finished with a failure and no attempt left.',
  },
  {
    state: 'waiting-children',
    title: 'Waiting for Children',
    type: 'zset',
    order: 'score is the time of entry in ms',
    keyFunction: 'waitingChildren',
    elixirKeyFunction: 'EchoMQ.Keys.waiting_children/1',
    terminal: false,
    meaning: 'A parent whose children have not all finished.',
  },
];

/** The names of the eight states in the order people read them. */
export const STATE_NAMES: readonly JobState[] = STATES.map((s) => s.state);

const byName = new Map(STATES.map((s) => [s.state as string, s]));

/** The row of a state. */
export function describeState(state: JobState): StateDescription {
  const row = byName.get(state);
  if (!row) throw new Error(`"${state}" is not a job state. The states are: ${STATE_NAMES.join(', ')}.`);
  return row;
}

/** Tells a state's name from any other text. */
export function isJobState(text: string): text is JobState {
  return byName.has(text);
}
