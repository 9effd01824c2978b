/**
 * The fields of a job's hash, with the short names of the wire mapped to the words the product uses. Texts are kept
 * as they came: `data` and `returnvalue` are never parsed and printed again, so no digit and no key order is lost.
 */

/** Hash field → the word for it. Times are ms since the epoch. */
export const JOB_FIELDS = {
  name: 'name',
  data: 'data',
  options: 'opts',
  timestamp: 'timestamp',
  delay: 'delay',
  priority: 'priority',
  parentKey: 'parentKey',
  parent: 'parent',
  schedulerId: 'rjk',
  deduplicationId: 'deid',
  nextIterationId: 'nrjid',
  processedOn: 'processedOn',
  processedBy: 'pb',
  attemptsStarted: 'ats',
  attemptsMade: 'atm',
  /** Older writers; read before `atm` where it is present. */
  legacyAttemptsMade: 'attemptsMade',
  stallCount: 'stc',
  deferredFailure: 'defa',
  finishedOn: 'finishedOn',
  returnValue: 'returnvalue',
  failedReason: 'failedReason',
  stacktrace: 'stacktrace',
  progress: 'progress',
  telemetry: 'tm',
} as const;

export type JobField = keyof typeof JOB_FIELDS;

/** The wire name of a field. */
export const wireName = (field: JobField): string => JOB_FIELDS[field];

/** A whole number of a hash field; `undefined` when absent, not whole, or beyond what a number holds exactly. */
export function decodeInteger(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || !/^-?\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/**
 * The stack traces of a job, newest first; the wire keeps them oldest first in a JSON array. Text that is no such
 * array comes back whole as one entry, so that nothing is hidden.
 */
export function decodeStacktraces(text: string | null | undefined): string[] {
  if (text === null || text === undefined || text === '') return [];
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) return parsed.map(String).reverse();
  } catch {
    // Fall through: the text itself is the best there is.
  }
  return [text];
}

/** Short names inside `opts` → long names. Everything else keeps its name. */
export const OPTION_NAMES: Readonly<Record<string, string>> = {
  de: 'deduplication',
  fpof: 'failParentOnFailure',
  cpof: 'continueParentOnFailure',
  idof: 'ignoreDependencyOnFailure',
  rdof: 'removeDependencyOnFailure',
  kl: 'keepLogs',
  tm: 'telemetryMetadata',
  omc: 'omitTelemetryContext',
};
