/** Writes a job as a plain text document for reading. Headings start a line; everything of the job is indented. */
import { OPTION_NAMES } from '../../keys/jobFields';
import type { FieldText, JobDetails } from '../../queue/types';
import { indentJson } from '../platform/json';
import { formatBytes, formatSpan, oneLine, plainLines, plural } from '../platform/text';

const indent = (text: string) =>
  plainLines(text)
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');

const section = (title: string, body: string | undefined) =>
  body === undefined ? [] : [`${title}\n${body}\n`];

function field(value: FieldText, isJson: boolean): string | undefined {
  if (value === undefined) return undefined;
  if ('bytes' in value)
    return `  (${formatBytes(value.bytes)}, not loaded: use "Load Whole Job" in the editor's title)`;
  return indent(isJson ? indentJson(value.text) : value.text);
}

const moment = (ms: number | undefined, now: number) => {
  if (ms === undefined || !Number.isFinite(ms) || Math.abs(ms) > 8.64e15) return undefined;
  return `${new Date(ms).toISOString()} (${ms > now ? `in ${formatSpan(ms - now)}` : `${formatSpan(now - ms)} ago`})`;
};

/** Whether the document of a job leaves a long field out. */
export function isTruncated({ row, data, options, returnValue, progress, stacktraces }: JobDetails): boolean {
  return [row.failedReason, data, options, returnValue, progress, stacktraces].some(
    (value) => value !== undefined && 'bytes' in value,
  );
}

/** @param now the time in ms since the epoch that ages are counted from. */
export function formatJob(job: JobDetails, now: number): string {
  const { row } = job;
  const facts: [string, string | undefined][] = [
    ['id', oneLine(job.id, 300)],
    ['state', describeState(job)],
    ['problem', row.problem && oneLine(row.problem.message, 300)],
    ['queue', `${oneLine(job.address.queue)} (prefix ${oneLine(job.address.prefix)})`],
    ['lock', describeLock(job)],
    ['attempts', `${row.attemptsMade ?? 0} made, ${row.attemptsStarted ?? 0} started`],
    ['stalls', row.stallCount ? `${row.stallCount}` : undefined],
    ['priority', row.priority ? `${row.priority}` : undefined],
    ['delay', row.delayMs ? formatSpan(row.delayMs) : undefined],
    ['created', moment(row.createdMs, now)],
    ['due', moment(row.dueMs, now)],
    ['processed', moment(row.processedMs, now)],
    ['finished', moment(row.finishedMs, now)],
    ['worker', job.processedBy && oneLine(job.processedBy)],
    ['parent', job.parentKey && oneLine(job.parentKey)],
    ['scheduler', row.schedulerId && oneLine(row.schedulerId)],
    ['deduplication', job.deduplicationId && oneLine(job.deduplicationId)],
    ['will fail', row.deferredFailure && oneLine(row.deferredFailure, 300)],
    [
      'other fields',
      job.otherFields.length > 0 ? job.otherFields.map((f) => oneLine(f, 40)).join(', ') : undefined,
    ],
  ];
  const lines = facts
    .filter((f): f is [string, string] => Boolean(f[1]))
    .map(([k, v]) => `  ${`${k}:`.padEnd(15)}${v}`);
  const traces = describeTraces(job);
  return [
    `${oneLine(row.name ?? '(no name)')}\n\n${lines.join('\n')}\n`,
    ...section('FAILED BECAUSE', field(row.failedReason, false)),
    ...section('DATA', field(job.data, true)),
    ...section('RESULT', field(job.returnValue, true)),
    ...section('PROGRESS', field(job.progress, true)),
    ...section('OPTIONS', describeOptions(job.options)),
    ...section('STACK TRACES (newest first)', traces),
    ...section(
      `LOGS (${job.logs.length < job.logCount ? `last ${job.logs.length} of ` : ''}${plural(job.logCount, 'line')})`,
      job.logCount > 0 ? indent(job.logs.join('\n')) : undefined,
    ),
  ].join('\n');
}

/** The options as they are stored, with the wire's short names explained below them. */
function describeOptions(options: FieldText): string | undefined {
  const body = field(options, true);
  if (body === undefined || !options || !('text' in options)) return body;
  const short = Object.keys(OPTION_NAMES).filter((name) => new RegExp(`"${name}"\\s*:`).test(options.text));
  if (short.length === 0) return body;
  return `${body}\n  (${short.map((name) => `${name} is ${OPTION_NAMES[name]}`).join(', ')})`;
}

function describeState(job: JobDetails): string {
  if (job.state !== undefined) return job.state;
  if (job.searchLimit === undefined) return 'in none of the eight states';
  return `not found (the first and last ${job.searchLimit} entries of the long lists were searched)`;
}

function describeLock(job: JobDetails): string | undefined {
  if (job.lock) {
    const time =
      job.lock.ttlMs < 0 ? 'never lapses' : `lapses in ${formatSpan(job.lock.ttlMs)} unless renewed`;
    return `held by ${oneLine(job.lock.token)}, ${time}`;
  }
  return job.state === 'active' ? 'none: it lapsed, or was never taken' : undefined;
}

function describeTraces(job: JobDetails): string | undefined {
  const traces = job.stacktraces;
  if ('bytes' in traces) return field({ bytes: traces.bytes }, false);
  if (traces.length === 0) return undefined;
  return traces.map((t, i) => `  [${i + 1} of ${traces.length}]\n${indent(t)}`).join('\n\n');
}
