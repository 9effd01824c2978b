/** The journal as a read-only document, which follows while it is open. */
import * as vscode from 'vscode';
import { JOURNAL_SCHEME } from '../contributions';
import type { Journal } from '../platform/journal';
import { formatJournal } from './formatJournal';

const JOURNAL_URI = vscode.Uri.from({ scheme: JOURNAL_SCHEME, path: 'EchoMQ Journal' });

export class JournalDocument implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: vscode.Disposable[];
  readonly onDidChange = this.emitter.event;

  constructor(private readonly journal: Journal) {
    this.subscriptions = [
      vscode.workspace.registerTextDocumentContentProvider(JOURNAL_SCHEME, this),
      journal.onDidRecord(() => this.emitter.fire(JOURNAL_URI)),
    ];
  }

  provideTextDocumentContent = async (): Promise<string> => formatJournal(await this.journal.read());

  async show(): Promise<void> {
    // It may be open already, and another window may have written since.
    this.emitter.fire(JOURNAL_URI);
    const document = await vscode.workspace.openTextDocument(JOURNAL_URI);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.emitter.dispose();
  }
}
