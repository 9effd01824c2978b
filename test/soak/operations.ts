/** What can be done with the jobs of a queue, by workers and by people, and how sequences of it are made up. */
import fc from 'fast-check';

/** Which job is meant. Resolved against the model when its turn comes, so that a sequence can be shortened. */
export interface Pick {
  readonly index: number;
  /** True for any job, or none at all; false for one of those that the operation is meant for, if there is any. */
  readonly isAnywhere: boolean;
}

export type Operation =
  | { readonly kind: 'add'; readonly delayMs: number; readonly priority: number; readonly customId?: string }
  | { readonly kind: 'fetch' }
  | {
      readonly kind: 'finish';
      readonly job: Pick;
      readonly target: 'completed' | 'failed';
      /** How many finished jobs to keep; -1 for all. */
      readonly keep: number;
      readonly fetchNext: boolean;
      readonly isOwner: boolean;
    }
  | {
      readonly kind: 'delayActive';
      readonly job: Pick;
      readonly delayMs: number;
      readonly skipAttempt: boolean;
      readonly isOwner: boolean;
    }
  | { readonly kind: 'retryActive'; readonly job: Pick; readonly lifo: boolean; readonly isOwner: boolean }
  | { readonly kind: 'giveBack'; readonly job: Pick; readonly isOwner: boolean }
  | { readonly kind: 'extendLock'; readonly job: Pick; readonly isOwner: boolean }
  | { readonly kind: 'loseLock'; readonly job: Pick }
  | { readonly kind: 'stalledPass' }
  | { readonly kind: 'recover'; readonly jobs: readonly Pick[] }
  | { readonly kind: 'retry'; readonly job: Pick; readonly resetAttempts: boolean }
  | { readonly kind: 'promote'; readonly job: Pick }
  | { readonly kind: 'changeDelay'; readonly job: Pick; readonly delayMs: number }
  | {
      readonly kind: 'changePriority';
      readonly job: Pick;
      readonly priority: number;
      readonly isFirst: boolean;
    }
  | { readonly kind: 'remove'; readonly job: Pick }
  | { readonly kind: 'moveMany'; readonly state: 'failed' | 'completed' | 'delayed'; readonly count: number }
  | { readonly kind: 'drain'; readonly withDelayed: boolean }
  | {
      readonly kind: 'clean';
      readonly state: 'completed' | 'failed';
      readonly graceMs: number;
      readonly limit: number;
    }
  | {
      readonly kind: 'bulk';
      readonly what: 'retry' | 'promote' | 'remove';
      readonly jobs: readonly Pick[];
    }
  | { readonly kind: 'resetStalls'; readonly job: Pick }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'letTimePass'; readonly ms: number };

/** What goes wrong on the way of an operation. */
export type Fault =
  /** The server forgets its scripts before it is asked. */
  | 'forgetScripts'
  /** The server does it, and the answer is lost. */
  | 'loseAnswer'
  /** It never reaches the server. */
  | 'swallow'
  /** The connection is cut at some moment. */
  | 'cut'
  /** The server throws the client out at some moment. */
  | 'kill'
  /** The client itself is closed at some moment. */
  | 'close';

export interface Step {
  readonly operation: Operation;
  readonly fault?: { readonly kind: Fault; readonly afterMs: number };
}

const pick: fc.Arbitrary<Pick> = fc.record({
  index: fc.nat(1000),
  isAnywhere: fc.oneof(
    { weight: 9, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});
const isOwner = fc.oneof(
  { weight: 9, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
);
const delayMs = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20 }), fc.constant(3000));
const priority = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4 }));
const ofKind = <K extends Operation['kind']>(kind: K) => ({ kind: fc.constant(kind) });

/** Weighted so that queues neither run empty nor grow without end. */
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record(
      { ...ofKind('add'), delayMs, priority, customId: fc.constantFrom('a', 'b', 'c', 'd') },
      { requiredKeys: ['kind', 'delayMs', 'priority'] },
    ),
  },
  { weight: 14, arbitrary: fc.record(ofKind('fetch')) },
  {
    weight: 8,
    arbitrary: fc.record({
      ...ofKind('finish'),
      job: pick,
      target: fc.constantFrom('completed', 'failed'),
      keep: fc.constantFrom(-1, -1, -1, 0, 3),
      fetchNext: fc.boolean(),
      isOwner,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...ofKind('delayActive'),
      job: pick,
      delayMs,
      skipAttempt: fc.boolean(),
      isOwner,
    }),
  },
  { weight: 3, arbitrary: fc.record({ ...ofKind('retryActive'), job: pick, lifo: fc.boolean(), isOwner }) },
  { weight: 2, arbitrary: fc.record({ ...ofKind('giveBack'), job: pick, isOwner }) },
  { weight: 1, arbitrary: fc.record({ ...ofKind('extendLock'), job: pick, isOwner }) },
  { weight: 3, arbitrary: fc.record({ ...ofKind('loseLock'), job: pick }) },
  { weight: 3, arbitrary: fc.record(ofKind('stalledPass')) },
  {
    weight: 2,
    arbitrary: fc.record({ ...ofKind('recover'), jobs: fc.array(pick, { minLength: 1, maxLength: 4 }) }),
  },
  { weight: 4, arbitrary: fc.record({ ...ofKind('retry'), job: pick, resetAttempts: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ ...ofKind('promote'), job: pick }) },
  { weight: 2, arbitrary: fc.record({ ...ofKind('changeDelay'), job: pick, delayMs }) },
  {
    weight: 3,
    arbitrary: fc.record({ ...ofKind('changePriority'), job: pick, priority, isFirst: fc.boolean() }),
  },
  { weight: 5, arbitrary: fc.record({ ...ofKind('remove'), job: pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...ofKind('moveMany'),
      state: fc.constantFrom('failed', 'completed', 'delayed'),
      count: fc.integer({ min: 1, max: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...ofKind('clean'),
      state: fc.constantFrom('completed', 'failed'),
      graceMs: fc.constantFrom(0, 1000),
      limit: fc.constantFrom(0, 2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ ...ofKind('resetStalls'), job: pick }) },
  { weight: 2, arbitrary: fc.record(ofKind('pause')) },
  { weight: 4, arbitrary: fc.record(ofKind('resume')) },
  { weight: 3, arbitrary: fc.record({ ...ofKind('letTimePass'), ms: fc.constantFrom(1, 5, 3000) }) },
  // Rare: it empties the queue.
  ...[true, false].map((withDelayed) => ({
    weight: 1,
    arbitrary: fc.record({ ...ofKind('drain'), withDelayed: fc.constant(withDelayed) }),
  })),
);

const fault = fc.record({
  kind: fc.constantFrom<Fault>(
    'forgetScripts',
    'loseAnswer',
    'loseAnswer',
    'swallow',
    'cut',
    'kill',
    'close',
  ),
  afterMs: fc.nat(8),
});

/** Many jobs by a script each. When the connection is lost in the midst of it a part is done, which is no step. */
const bulk: fc.Arbitrary<Operation> = fc.record({
  ...ofKind('bulk'),
  what: fc.constantFrom('retry', 'promote', 'remove'),
  jobs: fc.array(pick, { minLength: 1, maxLength: 6 }),
});

/** Sequences of operations, undisturbed, at most so long. */
export const calmSteps = (length: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({ operation: fc.oneof({ weight: 15, arbitrary: operation }, { weight: 1, arbitrary: bulk }) }),
    { maxLength: length, size: 'max' },
  );

/** Sequences in which about every third operation goes wrong on its way. */
export const roughSteps = (length: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      { weight: 2, arbitrary: fc.record({ operation }) },
      { weight: 1, arbitrary: fc.record({ operation, fault }) },
    ),
    { maxLength: length, size: 'max' },
  );
