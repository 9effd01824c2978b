/**
 * What `npm test` runs: every phase in order, or those named on the command line. A failing phase does not stop the
 * next. The last line is `N passed, M failed`; a phase that ran nothing counts as a failure. With `--large` tests that
 * have two sizes run the large one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { COUNTS_FILE_VARIABLE, type TestCounts } from './support/countingReporter';
import { packageExtension, VSIX } from './support/host/packageExtension';
import { RESULTS, ROOT } from './support/paths';
import { LARGE, SIZE_VARIABLE } from './support/size';

/** The package must stay small enough to be installed without a thought. */
const MAX_PACKAGE_BYTES = 1_500_000;
/** A phase that takes longer than this hangs; it is not a measure of speed. */
const HANG_MS = 20 * 60_000;
const LARGE_HANG_MS = 5 * 3_600_000;
const LARGE_OPTION = '--large';

type Phase = () => Promise<TestCounts>;

const PHASES: Readonly<Record<string, Phase>> = {
  check: () =>
    countChecks({
      'the types are right': () => runTool('tsc', []),
      'the code is formatted and linted': () => runTool('biome', ['check', '.']),
      'there is no dead code': () => runTool('knip', []),
    }),
  package: () => countChecks({ 'the extension packages without warnings and is small': checkPackage }),
  unit: () => runMocha('unit'),
  redis: () => runMocha('redis'),
  conformance: () => runMocha('conformance'),
  soak: () => runMocha('soak'),
  bench: () => runMocha('bench'),
  editor: () => runCounted('editor', ['--import', 'tsx', 'test/editor/run.ts']),
  e2e: () => runMocha('e2e', ['--timeout', '90000']),
  demo: () => runMocha('demo', ['--timeout', '180000']),
};

async function countChecks(checks: Record<string, () => Promise<boolean>>): Promise<TestCounts> {
  const failures: string[] = [];
  for (const [name, check] of Object.entries(checks)) {
    const isGood = await check();
    console.log(`  ${isGood ? '✔' : '✘'} ${name}`);
    if (!isGood) failures.push(name);
  }
  return { passed: Object.keys(checks).length - failures.length, failed: failures.length, failures };
}

async function checkPackage(): Promise<boolean> {
  try {
    const { warnings } = packageExtension();
    const bytes = statSync(VSIX).size;
    console.log(`  ${VSIX}: ${Math.round(bytes / 1000)} kB`);
    for (const warning of warnings) console.error(`  ${warning}`);
    if (bytes > MAX_PACKAGE_BYTES) console.error(`  The package is larger than ${MAX_PACKAGE_BYTES} bytes.`);
    return warnings.length === 0 && bytes <= MAX_PACKAGE_BYTES;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
}

async function runTool(name: string, args: readonly string[]): Promise<boolean> {
  const ending = process.platform === 'win32' ? '.cmd' : '';
  const tool = join(ROOT, 'node_modules', '.bin', name + ending);
  return (await run(tool, args, {}, process.platform === 'win32')) === 0;
}

const runMocha = (folder: string, options: readonly string[] = []) =>
  runCounted(folder, [
    join(ROOT, 'node_modules', 'mocha', 'bin', 'mocha.js'),
    ...['--reporter', join(ROOT, 'test', 'support', 'mochaReporter.cjs'), ...options],
    `test/${folder}/**/*.test.ts`,
  ]);

/** Runs a Node.js program that reports its counts, and believes its exit code as well. */
async function runCounted(phase: string, args: readonly string[]): Promise<TestCounts> {
  const file = join(RESULTS, `${phase}.json`);
  rmSync(file, { force: true });
  const code = await run(process.execPath, args, { [COUNTS_FILE_VARIABLE]: file });
  const counts: TestCounts = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { passed: 0, failed: 0, failures: [] };
  const problem = findProblem(counts, code);
  if (!problem) return counts;
  return { ...counts, failed: counts.failed + 1, failures: [...counts.failures, `${phase}: ${problem}`] };
}

function findProblem(counts: TestCounts, code: number): string | undefined {
  if (counts.passed + counts.failed === 0) return `ran no tests (exit code ${code})`;
  if (code !== 0 && counts.failed === 0) return `ended with exit code ${code} although every test passed`;
  return undefined;
}

let running: ChildProcess | undefined;

function run(
  command: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  shell = false,
): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...variables },
      stdio: ['ignore', 'inherit', 'inherit'],
      shell,
    });
    running = child;
    const hangMs = process.env[SIZE_VARIABLE] === LARGE ? LARGE_HANG_MS : HANG_MS;
    const timer = setTimeout(() => {
      console.error(`No end after ${hangMs / 60_000} minutes: stopped.`);
      child.kill('SIGTERM');
    }, hangMs);
    const end = (code: number) => {
      clearTimeout(timer);
      running = undefined;
      resolve(code);
    };
    child.once('error', (error) => {
      console.error(error.message);
      end(1);
    });
    child.once('exit', (code) => end(code ?? 1));
  });
}

async function main(args: readonly string[]): Promise<number> {
  const names = args.filter((arg) => arg !== LARGE_OPTION);
  if (args.includes(LARGE_OPTION)) process.env[SIZE_VARIABLE] = LARGE;
  const unknown = names.find((name) => !(name in PHASES));
  if (unknown)
    throw new Error(`There is no phase "${unknown}". The phases: ${Object.keys(PHASES).join(', ')}.`);
  mkdirSync(RESULTS, { recursive: true });
  const chosen = Object.entries(PHASES).filter(([name]) => names.length === 0 || names.includes(name));
  let passed = 0;
  const failures: string[] = [];
  for (const [name, phase] of chosen) {
    const start = Date.now();
    console.log(`\n── ${name} ${'─'.repeat(80 - name.length)}`);
    const counts = await phase();
    passed += counts.passed;
    failures.push(...counts.failures.map((failure) => `${name}: ${failure}`));
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    console.log(`── ${name}: ${counts.passed} passed, ${counts.failed} failed, ${seconds} s`);
    // Later phases test the package that the package phase made, not another.
    if (name === 'package' && existsSync(VSIX)) process.env.ECHOMQ_TEST_VSIX = VSIX;
  }
  console.log('');
  for (const failure of failures) console.log(`✘ ${failure}`);
  console.log(`${passed} passed, ${failures.length} failed`);
  return failures.length === 0 && passed > 0 ? 0 : 1;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    running?.kill(signal);
    process.exitCode = 1;
  });
}
main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
