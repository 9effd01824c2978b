/** Every id the manifest names. A test holds this file and `package.json` against each other, both ways. */
import type { TlsOptions } from '../executor/options';
import type { JobState } from '../keys/states';

export const VIEW_QUEUES = 'echomq.queues';
/** Scheme of the read-only documents that show a job. */
export const JOB_SCHEME = 'echomq-job';
/** Scheme of the files that hold the data of a job, for editing. */
export const DATA_SCHEME = 'echomq-data';
/** Scheme of the read-only document that shows the journal. */
export const JOURNAL_SCHEME = 'echomq-journal';
/** Section of the settings. */
export const SETTINGS = 'echomq';

export const COMMANDS = {
  addConnection: 'echomq.connection.add',
  editConnection: 'echomq.connection.edit',
  removeConnection: 'echomq.connection.remove',
  labelConnection: 'echomq.connection.label',
  allowWrites: 'echomq.connection.allowWrites',
  blockWrites: 'echomq.connection.blockWrites',
  refresh: 'echomq.queues.refresh',
  refreshConnection: 'echomq.connection.refresh',
  refreshQueue: 'echomq.queue.refresh',
  findQueues: 'echomq.queues.find',
  recoverStalled: 'echomq.queue.recoverStalled',
  addJob: 'echomq.job.add',
  retryJob: 'echomq.job.retry',
  promoteJob: 'echomq.job.promote',
  changeDelay: 'echomq.job.changeDelay',
  changePriority: 'echomq.job.changePriority',
  removeJob: 'echomq.job.remove',
  restoreJobs: 'echomq.jobs.restore',
  retryAll: 'echomq.jobs.retryAll',
  promoteAll: 'echomq.jobs.promoteAll',
  pauseQueue: 'echomq.queue.pause',
  resumeQueue: 'echomq.queue.resume',
  openJob: 'echomq.job.open',
  editJobData: 'echomq.job.editData',
  copyJobId: 'echomq.job.copyId',
  loadWholeJob: 'echomq.job.loadAll',
  loadMore: 'echomq.rows.more',
  loadPrevious: 'echomq.rows.previous',
  showJournal: 'echomq.journal.show',
  showLog: 'echomq.log.show',
} as const;

/** Holds the addresses of the job documents that left something out, for `when` clauses. */
export const TRUNCATED_JOBS = 'echomq.truncatedJobs';

export type CommandId = (typeof COMMANDS)[keyof typeof COMMANDS];

/** The commands that write to Redis. Only `registerWriteCommand` takes them, and it takes no other. */
export const WRITE_COMMANDS = [
  COMMANDS.addJob,
  COMMANDS.retryJob,
  COMMANDS.promoteJob,
  COMMANDS.recoverStalled,
  COMMANDS.editJobData,
  COMMANDS.changeDelay,
  COMMANDS.changePriority,
  COMMANDS.removeJob,
  COMMANDS.restoreJobs,
  COMMANDS.retryAll,
  COMMANDS.promoteAll,
  COMMANDS.pauseQueue,
  COMMANDS.resumeQueue,
] as const satisfies readonly CommandId[];

export type WriteCommandId = (typeof WRITE_COMMANDS)[number];

/** Context keys of `when` clauses. */
export const CONTEXT_KEYS = {
  /** Connections exist and none of them takes writes. Not set before activation, so the palette offers all then. */
  isReadOnly: 'echomq.isReadOnly',
} as const;

/** What a tree row is, for `viewItem` in `when` clauses. */
export const CONTEXT = {
  connection: 'echomq.connection',
  queue: 'echomq.queue',
  pausedQueue: 'echomq.queue paused',
  /** An id in a state whose job has no hash any more. */
  goneJob: 'echomq.job gone',
  paging: 'echomq.paging',
  message: 'echomq.message',
} as const;

/**
 * What follows the context value of every row of a read-only connection: `locked` where Allow Writes can change that,
 * `readonly` where it cannot. A `when` clause that offers a write must not match it; a test holds that.
 */
export const LOCK_SUFFIX = { locked: ' locked', readOnly: ' readonly' } as const;

/** The colour of a connection that is labelled production. */
export const PRODUCTION_COLOUR = 'echomq.connection.production';

/** The context value of a state's row. */
export const stateContext = (state: JobState): string => `echomq.state ${state}`;

/** The context value of the row of a job that exists. */
export const jobContext = (state: JobState): string => `echomq.job ${state}`;

/** A setting's name below `echomq`, with the type of its value. */
export interface SettingTypes {
  connections: readonly StoredConnection[];
  'discovery.maxKeys': number;
  'connection.timeoutMs': number;
}

/** An entry of the setting `echomq.connections`. Never holds a password, nor the content of a key. */
export interface StoredConnection {
  /** Of the entry's form, see `connections/record.ts`; none is 1. */
  readonly version?: number;
  readonly id?: string;
  readonly name: string;
  readonly url: string;
  readonly prefixes?: readonly string[];
  readonly tls?: TlsOptions;
  readonly sentinel?: StoredSentinel;
  /** True: nothing is ever written there. */
  readonly readOnly?: boolean;
  readonly label?: 'production';
}

/** What a connection behind sentinels says of them; their addresses and the primary's name are in the URL. */
export interface StoredSentinel {
  readonly username?: string;
  /** Whether the sentinels speak TLS; by default they do when the server does. */
  readonly tls?: boolean;
}

/** Settings that name servers: those of a workspace that is not trusted do not count. */
export const RESTRICTED_SETTINGS: readonly (keyof SettingTypes)[] = ['connections'];

/** Prefixes of a connection that names none. */
export const DEFAULT_PREFIXES: readonly string[] = ['emq', 'bull'];
