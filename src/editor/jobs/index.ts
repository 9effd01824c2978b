/** A job as a readable document, and the commands that open it and copy its id. */
import * as vscode from 'vscode';
import { STATE_NAMES } from '../../keys/states';
import { COMMANDS, DATA_SCHEME, JOB_SCHEME, TRUNCATED_JOBS } from '../contributions';
import { describeError, registerCommand, registerWriteCommand } from '../platform/commands';
import { loadEngine } from '../platform/loadEngine';
import type { JobNode } from '../platform/nodes';
import { type Purpose, pickJob, pickQueue, type QueueChoice } from '../platform/pick';
import type { Services } from '../platform/services';
import { oneLine } from '../platform/text';
import { requireWritable } from '../platform/writeLocks';
import { DataFiles } from './dataFiles';
import { formatJob, isTruncated } from './format';
import { dataUri, type JobAddress, jobUri, parseJobUri } from './jobUri';

/** Registers the job documents. */
export function registerJobs(services: Services): void {
  const { context, log } = services;
  const documents = new JobDocuments(services);
  const files = new DataFiles(services);
  context.subscriptions.push(
    documents,
    vscode.workspace.registerTextDocumentContentProvider(JOB_SCHEME, documents),
    services.refreshes.event((id) => documents.refresh((a) => id === undefined || a.connectionId === id)),
    services.changes.event((change) => documents.refresh((a) => isOf(a, change))),
    vscode.window.onDidChangeVisibleTextEditors(() => documents.refreshShown()),
    vscode.workspace.onDidCloseTextDocument((d) => documents.forget(d.uri)),
    files,
    vscode.workspace.registerFileSystemProvider(DATA_SCHEME, files, { isCaseSensitive: true }),
    services.refreshes.event((id) => files.refresh((a) => id === undefined || a.connectionId === id)),
    services.changes.event((change) => files.refresh((a) => isOf(a, change))),
    vscode.workspace.onDidCloseTextDocument((d) => files.forget(d.uri)),
    registerWriteCommand(services, COMMANDS.editJobData, async (target?: JobNode | vscode.Uri) => {
      const shown = target instanceof vscode.Uri ? parseJobUri(target) : undefined;
      const node = target instanceof vscode.Uri ? undefined : target;
      const job = shown ?? (node ? { ...node, jobId: node.row.id } : await askForJob(services, 'write'));
      requireWritable(services, job.connectionId);
      await vscode.window.showTextDocument(dataUri(job), { preview: true });
    }),
    registerCommand(log, COMMANDS.openJob, async (node?: JobNode) => {
      const uri = jobUri(node ? { ...node, jobId: node.row.id } : await askForJob(services));
      documents.changed(uri);
      const document = await vscode.workspace.openTextDocument(uri);
      // A click keeps the focus in the tree, as in the editor's own explorer.
      await vscode.window.showTextDocument(document, { preview: true, preserveFocus: node !== undefined });
    }),
    registerCommand(log, COMMANDS.copyJobId, async (node?: JobNode, selection?: readonly JobNode[]) => {
      const ids = (selection ?? (node ? [node] : [])).filter((n) => n.kind === 'job').map((n) => n.row.id);
      if (ids.length === 0) ids.push((await askForJob(services)).jobId);
      await vscode.env.clipboard.writeText(ids.join('\n'));
    }),
    registerCommand(log, COMMANDS.loadWholeJob, (uri?: vscode.Uri) => {
      const target = uri ?? vscode.window.activeTextEditor?.document.uri;
      if (target?.scheme === JOB_SCHEME) documents.loadWhole(target);
    }),
  );
}

const isOf = (job: JobAddress, { connectionId, address }: QueueChoice): boolean =>
  job.connectionId === connectionId &&
  job.address.prefix === address.prefix &&
  job.address.queue === address.queue;

/** A job of a queue, in whatever state, that the user picks. */
async function askForJob(services: Services, purpose?: Purpose): Promise<JobAddress> {
  const queue = await pickQueue(services, undefined, purpose);
  const { id } = await pickJob(services, queue, STATE_NAMES);
  return { ...queue, jobId: id };
}

class JobDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.emitter.event;
  private readonly whole = new Set<string>();
  /** Those hidden at the last refresh. */
  private readonly stale = new Set<string>();
  private readonly truncated = new Set<string>();
  private readonly open = new Map<string, vscode.Uri>();

  constructor(private readonly services: Services) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const target = parseJobUri(uri);
    if (!target) return 'This address names no job.';
    this.open.set(uri.toString(), uri);
    this.stale.delete(uri.toString());
    const name = `Job ${oneLine(target.jobId)} of ${oneLine(target.address.queue)}`;
    try {
      const executor = await this.services.connections.requireExecutor(target.connectionId);
      const { Queue } = await loadEngine();
      const loadAll = this.whole.has(uri.toString());
      const job = await new Queue(executor, target.address).readJob(
        target.jobId,
        undefined,
        loadAll ? { maxFieldBytes: Number.POSITIVE_INFINITY } : {},
      );
      this.note(uri, job !== undefined && isTruncated(job));
      return job ? formatJob(job, Date.now()) : `${name} is gone: it has no hash in Redis.`;
    } catch (error) {
      return `${name} could not be read.\n\n${describeError(error)}\n\nOpen the job again to retry.`;
    }
  }

  changed(uri: vscode.Uri): void {
    if (this.open.has(uri.toString())) this.emitter.fire(uri);
  }

  /** Reads again what is shown, and the rest when it is shown again. */
  refresh(isAffected: (job: JobAddress) => boolean): void {
    for (const [address, uri] of this.open) {
      const target = parseJobUri(uri);
      if (target && isAffected(target)) this.stale.add(address);
    }
    this.refreshShown();
  }

  /** Reads again what is shown and was not read since the last refresh. */
  refreshShown(): void {
    for (const { document } of vscode.window.visibleTextEditors) {
      if (this.stale.delete(document.uri.toString())) this.emitter.fire(document.uri);
    }
  }

  loadWhole(uri: vscode.Uri): void {
    this.whole.add(uri.toString());
    this.emitter.fire(uri);
  }

  forget(uri: vscode.Uri): void {
    this.open.delete(uri.toString());
    this.whole.delete(uri.toString());
    this.stale.delete(uri.toString());
    this.note(uri, false);
  }

  /** Offers "Load Whole Job" where there is more to load. */
  private note(uri: vscode.Uri, isTruncated: boolean): void {
    const address = uri.toString();
    if (this.truncated.has(address) === isTruncated) return;
    if (isTruncated) this.truncated.add(address);
    else this.truncated.delete(address);
    void vscode.commands.executeCommand('setContext', TRUNCATED_JOBS, [...this.truncated]);
  }

  dispose(): void {
    this.emitter.dispose();
  }
}
