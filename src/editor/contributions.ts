/** Every id the manifest names. A test holds this file and `package.json` against each other, both ways. */
import type { TlsOptions } from '../executor/options';
import type { JobState } from '../keys/states';

export const VIEW_QUEUES = 'echomq.queues';
/** Scheme of the read-only documents that show a job. */
export const JOB_SCHEME = 'echomq-job';
/** Scheme of the files that hold the data of a job, for editing. */
export const DATA_SCHEME = 'echomq-data';
/** Section of the settings. */
export const SETTINGS = 'echomq';

export const COMMANDS = {
  addConnection: 'echomq.connection.add',
  editConnection: 'echomq.connection.edit',
  removeConnection: 'echomq.connection.remove',
  refresh: 'echomq.queues.refresh',
  refreshConnection: 'echomq.connection.refresh',
  refreshQueue: 'echomq.queue.refresh',
  findQueues: 'echomq.queues.find',
  recoverStalled: 'echomq.queue.recoverStalled',
  addJob: 'echomq.job.add',
  retryJob: 'echomq.job.retry',
  promoteJob: 'echomq.job.promote',
  openJob: 'echomq.job.open',
  editJobData: 'echomq.job.editData',
  copyJobId: 'echomq.job.copyId',
  loadWholeJob: 'echomq.job.loadAll',
  loadMore: 'echomq.rows.more',
  loadPrevious: 'echomq.rows.previous',
  showLog: 'echomq.log.show',
} as const;

/** Holds the addresses of the job documents that left something out, for `when` clauses. */
export const TRUNCATED_JOBS = 'echomq.truncatedJobs';

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
}

/** What a connection behind sentinels says of them; their addresses and the primary's name are in the URL. */
export interface StoredSentinel {
  readonly username?: string;
  /** Whether the sentinels speak TLS; by default they do when the server does. */
  readonly tls?: boolean;
}

/** Prefixes of a connection that names none. */
export const DEFAULT_PREFIXES: readonly string[] = ['emq', 'bull'];
