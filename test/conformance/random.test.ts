/** Random sequences over all that workers and people do; a failing one is made as short as it can be. */
import fc from 'fast-check';
import { describeSequence, runSequence, sequences } from './support/randomOperations';
import { Comparison } from './support/scenario';

/** More than the few of an ordinary run: `ECHOMQ_RANDOM_SEQUENCES=2000 npx mocha test/conformance/random.test.ts`. */
const RUNS = Number(process.env.ECHOMQ_RANDOM_SEQUENCES ?? 25);

describe('any sequence of operations leaves what the reference leaves', () => {
  let both: Comparison;
  before(async () => {
    both = await Comparison.start();
  });
  after(() => both.stop());

  for (const [length, runs] of [
    [40, RUNS],
    [300, Math.ceil(RUNS / 4)],
  ] as const) {
    it(`of up to ${length} operations`, async function () {
      // A run that fails is shortened for as long as it takes.
      this.timeout(0);
      await fc.assert(
        fc.asyncProperty(
          sequences(length).map((sequence) => ({ ...sequence, toString: () => describeSequence(sequence) })),
          (sequence) => both.assertSame((side) => runSequence(side, sequence)),
        ),
        { numRuns: runs },
      );
    });
  }
});
