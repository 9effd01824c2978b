/**
 * The data of a job as a file that can be edited. Saving replaces the data in one step, and only if nothing else changed
 * it since it was read. What the user does not touch stays byte for byte: text that is stored without white space is
 * shown indented and stored without it again; any other text is shown as it is.
 */
import * as vscode from 'vscode';
import { describeTransition } from '../../queue/stateMachine';
import { DATA_SCHEME } from '../contributions';
import { performAction } from '../platform/action';
import { describeError } from '../platform/commands';
import { compactJson, indentJson } from '../platform/json';
import { loadEngine } from '../platform/loadEngine';
import type { Services } from '../platform/services';
import { type JobAddress, parseJobUri } from './jobUri';

interface Opened {
  /** As it is stored. */
  readonly stored: string;
  /** As it is shown. */
  readonly shown: Uint8Array;
  readonly readAtMs: number;
}

export class DataFiles implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.emitter.event;
  private readonly opened = new Map<string, Opened>();

  constructor(private readonly services: Services) {}

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.load(uri)).shown;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { shown, readAtMs } = this.opened.get(uri.toString()) ?? (await this.load(uri));
    return { type: vscode.FileType.File, ctime: 0, mtime: readAtMs, size: shown.byteLength };
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const before = this.opened.get(uri.toString());
    const target = parseJobUri(uri);
    if (!before || !target) throw vscode.FileSystemError.FileNotFound(uri);
    const text = Buffer.from(content).toString('utf8');
    const after = isCompact(before.stored) ? compactJson(text) : text;
    await this.store(target, before.stored, after);
    this.opened.set(uri.toString(), { stored: after, shown: content, readAtMs: Date.now() });
    this.services.changes.fire(target);
  }

  /** Reads again what is shown, except where that would take a change away that is not saved. */
  refresh(isAffected: (job: JobAddress) => boolean): void {
    for (const { uri, isDirty } of vscode.workspace.textDocuments) {
      const target = uri.scheme === DATA_SCHEME && !isDirty ? parseJobUri(uri) : undefined;
      if (!target || !isAffected(target)) continue;
      this.forget(uri);
      this.emitter.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    }
  }

  /** Forgets what was read, so that the next opening reads again. */
  forget(uri: vscode.Uri): void {
    this.opened.delete(uri.toString());
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  readDirectory(): never {
    throw vscode.FileSystemError.NoPermissions('The data of a job is no folder.');
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions('The data of a job is no folder.');
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions('The data of a job cannot be deleted without the job.');
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions('The data of a job cannot be moved.');
  }

  dispose(): void {
    this.emitter.dispose();
    this.opened.clear();
  }

  private async load(uri: vscode.Uri): Promise<Opened> {
    const target = parseJobUri(uri);
    if (!target) throw vscode.FileSystemError.FileNotFound('This address names no job.');
    const stored = await this.read(target).catch((error) => {
      throw new vscode.FileSystemError(describeError(error));
    });
    if (stored === undefined) throw vscode.FileSystemError.FileNotFound(`Job ${target.jobId} has no data.`);
    const shown = Buffer.from(isCompact(stored) ? indentJson(stored) : stored, 'utf8');
    const opened = { stored, shown, readAtMs: Date.now() };
    this.opened.set(uri.toString(), opened);
    return opened;
  }

  private async read({ connectionId, address, jobId }: JobAddress): Promise<string | undefined> {
    const executor = await this.services.connections.requireExecutor(connectionId);
    const { Queue } = await loadEngine();
    return (await new Queue(executor, address).readData(jobId, Number.POSITIVE_INFINITY))?.text;
  }

  /** The editor shows the sentence of a failure beside its Retry; the text stays unsaved, so nothing is lost. */
  private async store({ connectionId, address, jobId }: JobAddress, before: string, after: string) {
    try {
      const { Queue } = await loadEngine();
      const action = { connectionId, address, name: describeTransition('editData').title, ids: [jobId] };
      await performAction(this.services, action, (executor) =>
        new Queue(executor, address).updateData(jobId, before, after),
      );
    } catch (error) {
      const isDeclined = error instanceof vscode.CancellationError;
      throw new vscode.FileSystemError(
        isDeclined ? 'Writes were not allowed; nothing was sent.' : describeError(error),
      );
    }
  }
}

/** Whether nothing is lost by showing it indented. */
const isCompact = (text: string) => compactJson(text) === text;
