/** The readable `spec` report, and beside it a file that says how many tests passed and which failed. */
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** What a phase of tests came to. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** Full titles of the failed tests. */
  readonly failures: readonly string[];
}

/** The environment variable that names the file. */
export const COUNTS_FILE_VARIABLE = 'ECHOMQ_TEST_COUNTS';

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants;

/** Writes the counts to the file that `ECHOMQ_TEST_COUNTS` names. A skipped test counts as failed. */
export class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    let passed = 0;
    const failures: string[] = [];
    runner.on(EVENT_TEST_PASS, () => {
      passed += 1;
    });
    runner.on(EVENT_TEST_FAIL, (test) => failures.push(test.fullTitle()));
    runner.on(EVENT_TEST_PENDING, (test) => failures.push(`${test.fullTitle()} (skipped)`));
    runner.once(EVENT_RUN_END, () => {
      const file = process.env[COUNTS_FILE_VARIABLE];
      const counts: TestCounts = { passed, failed: failures.length, failures };
      if (file) writeFileSync(file, JSON.stringify(counts));
    });
  }
}
