/**
 * Runs the checks on open Lua files and keeps what they found. A check starts a moment after the last keystroke; one
 * that was overtaken by a newer text, or whose editor was closed, says nothing.
 */
import * as vscode from 'vscode';
import { checkFile } from '../../language/diagnostics';
import { parseScriptName } from '../../language/scriptName';
import type { Diagnostic, Severity, TextRange } from '../../language/types';
import { LuaFiles } from './luaFiles';
import { toPath, toUri } from './paths';

/** Long enough for a keystroke to be followed by the next, short enough to be read as an answer. */
const TYPING_PAUSE_MS = 150;

const SEVERITIES: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** What the checks found in one version of a document. */
interface Finding {
  readonly version: number;
  readonly diagnostics: readonly Diagnostic[];
}

export class LuaChecks implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('echomq');
  private readonly findings = new Map<string, Finding>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  /** The newest check of each document; an older one finds another number here and gives up. */
  private readonly runs = new Map<string, number>();
  private lastRun = 0;
  /** Made for the first Lua file, so that a window without any watches nothing. */
  private files: LuaFiles | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly log: vscode.LogOutputChannel) {
    this.subscriptions = [
      this.collection,
      vscode.workspace.onDidOpenTextDocument((document) => this.take(document, 0)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.take(document, TYPING_PAUSE_MS);
      }),
      vscode.workspace.onDidSaveTextDocument((document) => this.take(document, 0)),
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.forget(document);
        if (isLua(document)) this.scheduleAll(TYPING_PAUSE_MS);
      }),
    ];
    this.scheduleAll(0);
  }

  /** What was found in the document as it stands; nothing when it was edited since, for ranges may have moved. */
  getDiagnostics(document: vscode.TextDocument): readonly Diagnostic[] {
    const finding = this.findings.get(document.uri.toString());
    return finding?.version === document.version ? finding.diagnostics : [];
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.runs.clear();
    for (const subscription of this.subscriptions) subscription.dispose();
    this.files?.dispose();
  }

  /** Checks a document, and after it the others that may include it or be included. */
  private take(document: vscode.TextDocument, delayMs: number): void {
    if (!isLua(document)) return;
    this.schedule(document, delayMs);
    for (const other of vscode.workspace.textDocuments) {
      if (other !== document && isLua(other)) this.schedule(other, TYPING_PAUSE_MS);
    }
  }

  private scheduleAll(delayMs: number): void {
    for (const document of vscode.workspace.textDocuments) {
      if (isLua(document)) this.schedule(document, delayMs);
    }
  }

  private schedule(document: vscode.TextDocument, delayMs: number): void {
    const key = document.uri.toString();
    const run = ++this.lastRun;
    this.runs.set(key, run);
    clearTimeout(this.timers.get(key));
    const start = () => {
      this.timers.delete(key);
      this.check(document, () => this.runs.get(key) === run && !document.isClosed).catch((error) =>
        this.log.error(error instanceof Error ? error : String(error)),
      );
    };
    this.timers.set(key, setTimeout(start, delayMs));
  }

  private async check(document: vscode.TextDocument, isWanted: () => boolean): Promise<void> {
    if (!isWanted()) return;
    const files = this.requireFiles();
    const path = toPath(document.uri);
    const isScript = parseScriptName(path) !== undefined;
    const hasUses = files.facts(path, document.getText()).keyUses.length > 0;
    // Only a file that reads KEYS and is no script itself asks which scripts there are.
    const scripts = hasUses && !isScript ? await files.findScripts() : [];
    const readFile = isScript || hasUses ? await files.load([path, ...scripts]) : () => undefined;
    if (!isWanted()) return;
    const text = document.getText();
    this.publish(document, checkFile({ path, text, readFile, scripts, facts: files.facts }));
  }

  private publish(document: vscode.TextDocument, diagnostics: readonly Diagnostic[]): void {
    const key = document.uri.toString();
    if (diagnostics.length === 0 && !this.findings.has(key)) return;
    this.findings.set(key, { version: document.version, diagnostics });
    this.collection.set(document.uri, diagnostics.map(toEditorDiagnostic));
  }

  private forget(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
    this.runs.delete(key);
    this.findings.delete(key);
    this.collection.delete(document.uri);
  }

  private requireFiles(): LuaFiles {
    if (!this.files) {
      this.files = new LuaFiles();
      this.subscriptions.push(this.files.onDidChange(() => this.scheduleAll(TYPING_PAUSE_MS)));
    }
    return this.files;
  }
}

/** A Lua file that lies somewhere: not the other side of a comparison, and not a text without a name. */
function isLua(document: vscode.TextDocument): boolean {
  const { scheme, path } = document.uri;
  return path.endsWith('.lua') && vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}

/** The same range in the editor's words. */
export function toEditorRange({ start, end }: TextRange): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

function toEditorDiagnostic(diagnostic: Diagnostic): vscode.Diagnostic {
  const shown = new vscode.Diagnostic(
    toEditorRange(diagnostic.range),
    diagnostic.message,
    SEVERITIES[diagnostic.severity],
  );
  shown.source = 'EchoMQ';
  shown.code = diagnostic.code;
  shown.relatedInformation = diagnostic.related.flatMap(({ path, range, message }) => {
    const uri = toUri(path);
    if (!uri) return [];
    return [new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, toEditorRange(range)), message)];
  });
  return shown;
}
