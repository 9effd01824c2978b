/**
 * What `npm run bench` runs. `--quick` runs small sizes; `--write` writes docs/bench.md. Ends with code 1 when
 * something that is claimed does not hold.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import bullmq from 'bullmq/package.json';
import { ROOT } from '../support/paths';
import { requireRedisBinary } from '../support/redisBinary';
import { FULL, QUICK, runBench } from './bench';
import { type CaseReport, formatReport, wrap } from './report';

const OPTIONS: readonly string[] = ['--quick', '--write'];

const INTRODUCTION =
  '`npm run bench -- --write` measures what follows and writes this page. Commands, round trips and bytes are counted ' +
  'and the same on every machine. Times are ratios against something measured in the same run: the median of ' +
  'alternating rounds, and the least and the most in brackets. What else a machine does shows in that spread. ' +
  `Measured with Redis REDIS, Node.js ${process.versions.node} and bullmq ${bullmq.version}. Activation against that ` +
  'of an empty extension is measured where extensions run: `npm test -- package editor` prints it.';

function formatDocument(reports: readonly CaseReport[]): string {
  const redis = /v=(\S+)/.exec(execFileSync(requireRedisBinary(), ['--version'], { encoding: 'utf8' }))?.[1];
  return `# Benchmark

${wrap(INTRODUCTION.replace('REDIS', redis ?? 'of unknown version'))}

${reports.map(formatReport).join('\n').trimEnd()}
`;
}

async function main(args: readonly string[]): Promise<number> {
  const unknown = args.find((arg) => !OPTIONS.includes(arg));
  if (unknown) throw new Error(`There is no option "${unknown}". The options: ${OPTIONS.join(', ')}.`);
  const reports: CaseReport[] = [];
  await runBench(args.includes('--quick') ? QUICK : FULL, (report) => {
    reports.push(report);
    console.log(formatReport(report));
  });
  if (args.includes('--write')) writeFileSync(join(ROOT, 'docs', 'bench.md'), formatDocument(reports));
  return reports.every(({ claims }) => claims.every(({ isHeld }) => isHeld)) ? 0 : 1;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
