/**
 * The queue as it should be, without a Redis: eight states, each with its order, and what the hashes of the jobs say
 * about their past. A pure function says what an operation does to it and what it answers.
 */
import type { JobState } from '../../src/keys/states';
import type { Operation, Pick } from './operations';

type ListState = 'wait' | 'paused' | 'active';
type SetState = Exclude<JobState, ListState>;

export interface ModelJob {
  priority: number;
  attemptsStarted: number;
  attemptsMade: number;
  stalls: number;
  /** The worker's token while the job is locked. */
  lock?: string;
}

export interface Model {
  nowMs: number;
  lastId: number;
  priorityCounter: number;
  isPaused: boolean;
  concurrency?: number;
  readonly jobs: Record<string, ModelJob>;
  /** As in Redis: the head first. */
  readonly lists: Record<ListState, string[]>;
  readonly sets: Record<SetState, Record<string, number>>;
  /** Ids that a stalled pass has marked. */
  marked: string[];
}

export const OWNER = 'owner';
export const STRANGER = 'stranger';
const SLOT = 4096;
const PRIORITY_UNIT = 2 ** 32;

/** How an operation ended, as text: `ok`, `refused -3`, `invalid`, `added 7`, `fetched 7`, `nothing` … */
export type Outcome = string;

export const createModel = (nowMs: number, concurrency?: number): Model => ({
  nowMs,
  lastId: 0,
  priorityCounter: 0,
  isPaused: false,
  ...(concurrency === undefined ? {} : { concurrency }),
  jobs: {},
  lists: { wait: [], paused: [], active: [] },
  sets: { delayed: {}, prioritized: {}, completed: {}, failed: {}, 'waiting-children': {} },
  marked: [],
});

/** The ids of a set in the order of Redis: by score, then by id. */
export function inOrder(set: Readonly<Record<string, number>>): string[] {
  const ids = Object.keys(set);
  return ids.sort((a, b) => (set[a] ?? 0) - (set[b] ?? 0) || (a < b ? -1 : 1));
}

/** The state of a job; `undefined` for none. */
export function findState(model: Model, id: string): JobState | undefined {
  for (const [state, ids] of Object.entries(model.lists)) if (ids.includes(id)) return state as ListState;
  for (const [state, set] of Object.entries(model.sets)) if (id in set) return state as SetState;
  return undefined;
}

/** An id that no job ever has. */
const NOBODY = 'nobody';

/** Which job an operation means. */
export function choose(model: Model, { index, isAnywhere }: Pick, meant: readonly JobState[]): string {
  const all = Object.keys(model.jobs);
  const fitting = all.filter((id) => meant.includes(findState(model, id) ?? 'active'));
  const from = isAnywhere || fitting.length === 0 ? [...all, NOBODY] : fitting;
  return from[index % from.length] ?? NOBODY;
}

/** Which jobs a bulk operation means, each once. */
export const chooseMany = (model: Model, { what, jobs }: Extract<Operation, { kind: 'bulk' }>): string[] => [
  ...new Set(jobs.map((pick) => choose(model, pick, what === 'retry' ? ['failed'] : meantFor(what)))),
];

/** The states that an operation is meant for. */
export function meantFor(kind: Operation['kind']): readonly JobState[] {
  switch (kind) {
    case 'promote':
    case 'changeDelay':
      return ['delayed'];
    case 'retry':
      return ['completed', 'failed'];
    case 'changePriority':
      return ['wait', 'paused', 'prioritized', 'delayed'];
    case 'remove':
      return ['wait', 'paused', 'prioritized', 'delayed', 'completed', 'failed'];
    case 'resetStalls':
      return ['wait', 'paused', 'active'];
    default:
      return ['active'];
  }
}

/**
 * Does an operation. A pass recovers in an order of Redis' own, which is taken from what it told.
 * @param recovered the ids that were recovered, in their order.
 */
export function apply(model: Model, operation: Operation, recovered: readonly string[] = []): Outcome {
  const target = model.isPaused ? model.lists.paused : model.lists.wait;
  const chosen = 'job' in operation ? choose(model, operation.job, meantFor(operation.kind)) : NOBODY;
  const job = model.jobs[chosen];
  const state = findState(model, chosen);

  switch (operation.kind) {
    case 'add': {
      model.lastId += 1;
      const id = operation.customId ?? `${model.lastId}`;
      if (model.jobs[id]) return `duplicate ${id}`;
      const { priority, delayMs } = operation;
      model.jobs[id] = { priority, attemptsStarted: 0, attemptsMade: 0, stalls: 0 };
      if (delayMs > 0) delay(model, id, delayMs);
      else if (priority > 0) prioritize(model, id, priority);
      else target.unshift(id);
      return `added ${id}`;
    }
    case 'fetch':
      return fetchNext(model) ?? 'nothing';
    case 'finish': {
      const refusal = release(model, chosen, operation.isOwner);
      if (refusal || !job) return refusal ?? 'refused -1';
      job.attemptsMade += 1;
      if (operation.keep === 0) delete model.jobs[chosen];
      else {
        model.sets[operation.target][chosen] = model.nowMs;
        const finished = inOrder(model.sets[operation.target]);
        if (operation.keep > 0) discard(model, finished.slice(0, -operation.keep));
      }
      return (operation.fetchNext && fetchNext(model)) || 'ok';
    }
    case 'delayActive': {
      const refusal = release(model, chosen, operation.isOwner);
      if (refusal || !job) return refusal ?? 'refused -1';
      if (!operation.skipAttempt) job.attemptsMade += 1;
      delay(model, chosen, operation.delayMs);
      return 'ok';
    }
    case 'retryActive': {
      promoteDue(model);
      const refusal = release(model, chosen, operation.isOwner);
      if (refusal || !job) return refusal ?? 'refused -1';
      job.attemptsMade += 1;
      if (job.priority > 0) prioritize(model, chosen, job.priority);
      else if (operation.lifo) target.push(chosen);
      else target.unshift(chosen);
      return 'ok';
    }
    case 'giveBack': {
      const refusal = release(model, chosen, operation.isOwner);
      if (refusal || !job) return refusal ?? 'refused -1';
      if (job.priority > 0) model.sets.prioritized[chosen] = job.priority * PRIORITY_UNIT;
      else target.push(chosen);
      return 'ok';
    }
    case 'extendLock':
      if (job?.lock !== (operation.isOwner ? OWNER : STRANGER)) return 'refused 0';
      unmark(model, chosen);
      return 'ok';
    case 'loseLock':
      if (job) delete job.lock;
      return 'ok';
    case 'stalledPass': {
      const lost = model.marked.filter((id) => isLost(model, id));
      recover(model, recovered);
      model.marked = [...model.lists.active];
      return `recovered ${lost.sort().join()}`;
    }
    case 'recover': {
      const lost = new Set(operation.jobs.map((pick) => choose(model, pick, ['active'])));
      const expected = [...lost].filter((id) => isLost(model, id));
      recover(model, recovered);
      return `recovered ${expected.sort().join()}`;
    }
    case 'retry': {
      const from = state ?? 'failed';
      if (from !== 'completed' && from !== 'failed') return 'invalid';
      if (!job) return 'refused -1';
      leave(model, chosen);
      if (operation.resetAttempts) Object.assign(job, { attemptsMade: 0, attemptsStarted: 0 });
      target.unshift(chosen);
      return 'ok';
    }
    case 'promote':
      if (state !== 'delayed' || !job) return 'refused -3';
      leave(model, chosen);
      if (job.priority > 0) prioritize(model, chosen, job.priority);
      else target.unshift(chosen);
      return 'ok';
    case 'changeDelay': {
      if (!job) return 'refused -1';
      if (state !== 'delayed') return 'refused -3';
      const score = delayedScore(model, operation.delayMs);
      model.sets.delayed[chosen] = score;
      return 'ok';
    }
    case 'changePriority': {
      if (state && !meantFor('changePriority').includes(state)) return 'invalid';
      if (!job) return 'refused -1';
      job.priority = operation.priority;
      if (state === 'delayed') return 'ok';
      leave(model, chosen);
      if (operation.priority > 0 && operation.isFirst) {
        model.sets.prioritized[chosen] = operation.priority * PRIORITY_UNIT;
      } else if (operation.priority > 0) prioritize(model, chosen, operation.priority);
      else if (operation.isFirst) target.push(chosen);
      else target.unshift(chosen);
      return 'ok';
    }
    case 'remove':
      if (job?.lock) return 'refused 0';
      discard(model, [chosen]);
      return 'ok';
    case 'moveMany': {
      const ids = inOrder(model.sets[operation.state]).slice(0, operation.count);
      for (const id of ids) {
        leave(model, id);
        target.unshift(id);
      }
      return ids.length === operation.count ? 'again' : 'ok';
    }
    case 'drain':
      discard(model, [...model.lists.wait, ...model.lists.paused, ...inOrder(model.sets.prioritized)]);
      if (operation.withDelayed) discard(model, inOrder(model.sets.delayed));
      return 'ok';
    case 'clean': {
      const latest = model.nowMs - operation.graceMs;
      const set = model.sets[operation.state];
      const old = inOrder(set).filter((id) => (set[id] ?? 0) <= latest);
      const gone = operation.limit > 0 ? old.slice(0, operation.limit) : old;
      discard(model, gone);
      return `removed ${gone.sort().join()}`;
    }
    case 'bulk': {
      const done: string[] = [];
      for (const id of chooseMany(model, operation)) {
        const from = findState(model, id);
        const isDone = {
          retry: from === 'failed',
          promote: from === 'delayed',
          remove: !model.jobs[id]?.lock,
        };
        if (!isDone[operation.what]) continue;
        done.push(id);
        if (operation.what === 'remove') discard(model, [id]);
        else leave(model, id);
        const priority = model.jobs[id]?.priority ?? 0;
        if (operation.what === 'promote' && priority > 0) prioritize(model, id, priority);
        else if (operation.what !== 'remove') target.unshift(id);
      }
      return `done ${done.join()}`;
    }
    case 'resetStalls':
      if (!job) return 'refused -1';
      if (job.lock) return 'refused -6';
      job.stalls = 0;
      return 'ok';
    case 'pause':
    case 'resume': {
      const [from, to] =
        operation.kind === 'pause' ? (['wait', 'paused'] as const) : (['paused', 'wait'] as const);
      model.isPaused = operation.kind === 'pause';
      model.lists[to].unshift(...model.lists[from].splice(0));
      return 'ok';
    }
    case 'letTimePass':
      model.nowMs += operation.ms;
      return 'ok';
  }
}

function leave(model: Model, id: string): void {
  for (const ids of Object.values(model.lists)) if (ids.includes(id)) ids.splice(ids.indexOf(id), 1);
  for (const set of Object.values(model.sets)) delete set[id];
}

function discard(model: Model, ids: readonly string[]): void {
  for (const id of ids) {
    leave(model, id);
    delete model.jobs[id];
  }
}

const unmark = (model: Model, id: string) => {
  model.marked = model.marked.filter((other) => other !== id);
};

/** A worker lets go of its job, which leaves `active`; or the code that says why it is not its. */
function release(model: Model, id: string, isOwner: boolean): Outcome | undefined {
  const job = model.jobs[id];
  if (!job) return 'refused -1';
  if (!job.lock) return 'refused -2';
  if (job.lock !== (isOwner ? OWNER : STRANGER)) return 'refused -6';
  delete job.lock;
  unmark(model, id);
  leave(model, id);
  return undefined;
}

function delayedScore(model: Model, delayMs: number): number {
  const first = (model.nowMs + delayMs) * SLOT;
  const taken = Object.values(model.sets.delayed).filter((score) => score >= first && score < first + SLOT);
  return taken.length === 0 ? first : Math.min(Math.max(...taken) + 1, first + SLOT - 1);
}

function delay(model: Model, id: string, delayMs: number): void {
  model.sets.delayed[id] = delayedScore(model, delayMs);
}

function prioritize(model: Model, id: string, priority: number): void {
  model.priorityCounter += 1;
  model.sets.prioritized[id] = priority * PRIORITY_UNIT + model.priorityCounter;
}

function promoteDue(model: Model): void {
  const { delayed } = model.sets;
  const due = inOrder(delayed).filter((id) => (delayed[id] ?? 0) < (model.nowMs + 1) * SLOT);
  for (const id of due) {
    delete delayed[id];
    const priority = model.jobs[id]?.priority ?? 0;
    if (priority > 0) prioritize(model, id, priority);
    else model.lists[model.isPaused ? 'paused' : 'wait'].unshift(id);
  }
}

/** What a worker is told that fetches; `undefined` when there is nothing at all, now or later. */
function fetchNext(model: Model): Outcome | undefined {
  promoteDue(model);
  const isMaxed = model.concurrency !== undefined && model.lists.active.length >= model.concurrency;
  if (model.isPaused || isMaxed) return 'nothing';
  const id = model.lists.wait.pop() ?? inOrder(model.sets.prioritized)[0];
  if (id === undefined) {
    model.priorityCounter = 0;
    return Object.keys(model.sets.delayed).length > 0 ? 'nothing' : undefined;
  }
  delete model.sets.prioritized[id];
  model.lists.active.unshift(id);
  const job = model.jobs[id];
  if (job) Object.assign(job, { lock: OWNER, attemptsStarted: job.attemptsStarted + 1 });
  return `fetched ${id}`;
}

const isLost = (model: Model, id: string) => findState(model, id) === 'active' && !model.jobs[id]?.lock;

function recover(model: Model, ids: readonly string[]): void {
  for (const id of ids) {
    leave(model, id);
    model.lists[model.isPaused ? 'paused' : 'wait'].push(id);
    const job = model.jobs[id];
    if (job) job.stalls += 1;
  }
}
