/** Every id the manifest names. A test holds this file and `package.json` against each other, both ways. */

export const VIEW_QUEUES = 'echomq.queues';
/** Scheme of the read-only documents that show a job. */
export const JOB_SCHEME = 'echomq-job';
/** Section of the settings. */
export const SETTINGS = 'echomq';

export const COMMANDS = {
  addConnection: 'echomq.connection.add',
  editConnection: 'echomq.connection.edit',
  removeConnection: 'echomq.connection.remove',
  refresh: 'echomq.queues.refresh',
  findQueues: 'echomq.queues.find',
  recoverStalled: 'echomq.queue.recoverStalled',
  addJob: 'echomq.job.add',
  retryJob: 'echomq.job.retry',
  promoteJob: 'echomq.job.promote',
  openJob: 'echomq.job.open',
  copyJobId: 'echomq.job.copyId',
  loadWholeJob: 'echomq.job.loadAll',
  loadMore: 'echomq.rows.more',
  loadPrevious: 'echomq.rows.previous',
  showLog: 'echomq.log.show',
} as const;

/** A setting's name below `echomq`, with the type of its value. */
export interface SettingTypes {
  connections: readonly StoredConnection[];
  'discovery.maxKeys': number;
  'connection.timeoutMs': number;
}

/** An entry of the setting `echomq.connections`. Never holds a password. */
export interface StoredConnection {
  readonly id?: string;
  readonly name: string;
  readonly url: string;
  readonly prefixes?: readonly string[];
}

/** Prefixes of a connection that names none. */
export const DEFAULT_PREFIXES: readonly string[] = ['emq', 'bull'];
