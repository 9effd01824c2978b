/**
 * The Lua files that a check needs. What is open in an editor is read as it stands there, saved or not; the rest is
 * read from disk once and again after it changed. Nothing is read until a check asks.
 */
import * as vscode from 'vscode';
import { rememberFacts } from '../../language/facts';
import { parseScriptName } from '../../language/scriptName';
import { resolveInclude } from '../../scripts/includes';
import { toPath, toUri } from './paths';

/** A workspace with more scripts is checked against the first so many. */
const MAX_SCRIPTS = 5000;
/** Files read at the same time. */
const READ_TOGETHER = 32;

export class LuaFiles implements vscode.Disposable {
  /** Facts of every text seen, shared by all checks. */
  readonly facts = rememberFacts();
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires after a Lua file of the workspace changed on disk, appeared or went away. */
  readonly onDidChange = this.changed.event;

  /** Texts on disk by path, or their reading; `undefined` where there is no file. Only of files that are watched. */
  private readonly onDisk = new Map<string, Promise<string | undefined>>();
  private scripts: Promise<readonly string[]> | undefined;
  private readonly watcher = vscode.workspace.createFileSystemWatcher('**/*.lua');
  private readonly subscriptions: vscode.Disposable[];

  constructor() {
    const forget = (uri: vscode.Uri) => {
      this.onDisk.delete(toPath(uri));
      this.changed.fire();
    };
    const forgetList = (uri: vscode.Uri) => {
      this.scripts = undefined;
      forget(uri);
    };
    const forgetAll = () => {
      this.scripts = undefined;
      this.onDisk.clear();
      this.changed.fire();
    };
    this.subscriptions = [
      this.watcher,
      this.changed,
      this.watcher.onDidChange(forget),
      this.watcher.onDidCreate(forgetList),
      this.watcher.onDidDelete(forgetList),
      vscode.workspace.onDidChangeWorkspaceFolders(forgetAll),
      // A folder that moves takes its files along, and the watcher may speak of the folder only.
      vscode.workspace.onDidRenameFiles(forgetAll),
      vscode.workspace.onDidDeleteFiles(forgetAll),
    ];
  }

  /** The transition scripts of the workspace and of the open editors. */
  async findScripts(): Promise<readonly string[]> {
    this.scripts ??= this.listScripts();
    const open = [...getOpenTexts().keys()].filter((path) => parseScriptName(path));
    return [...new Set([...(await this.scripts), ...open])];
  }

  /**
   * Reads the given files and all they include, and gives a function that finds their texts without waiting. A file
   * that cannot be read counts as missing.
   */
  async load(paths: readonly string[]): Promise<(path: string) => string | undefined> {
    const texts = new Map<string, string | undefined>();
    let level: readonly string[] = [...new Set(paths)];
    while (level.length > 0) {
      const next = new Set<string>();
      const open = getOpenTexts();
      for (let i = 0; i < level.length; i += READ_TOGETHER) {
        const together = level.slice(i, i + READ_TOGETHER);
        const read = await Promise.all(together.map((path) => open.get(path) ?? this.read(path)));
        together.forEach((path, j) => {
          const text = read[j];
          texts.set(path, text);
          if (text === undefined) return;
          for (const include of this.facts(path, text).includes) next.add(resolveInclude(path, include.path));
        });
      }
      level = [...next].filter((path) => !texts.has(path));
    }
    // An editor may have changed while the rest was read.
    const open = getOpenTexts();
    return (path) => open.get(path) ?? texts.get(path);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async listScripts(): Promise<readonly string[]> {
    const found = await vscode.workspace.findFiles('**/*-*.lua', '**/node_modules/**', MAX_SCRIPTS);
    return found
      .map(toPath)
      .filter((path) => parseScriptName(path))
      .sort();
  }

  private read(path: string): Promise<string | undefined> {
    const known = this.onDisk.get(path);
    if (known) return known;
    const uri = toUri(path);
    if (!uri) return Promise.resolve(undefined);
    const reading = Promise.resolve(vscode.workspace.fs.readFile(uri)).then(
      (bytes) => new TextDecoder().decode(bytes),
      () => undefined,
    );
    // Outside the workspace nobody says when a file changes, so it is read for every check.
    if (vscode.workspace.getWorkspaceFolder(uri)) this.onDisk.set(path, reading);
    return reading;
  }
}

/** The Lua texts in the editors, by path. */
function getOpenTexts(): Map<string, string> {
  const texts = new Map<string, string>();
  for (const document of vscode.workspace.textDocuments) {
    if (document.uri.path.endsWith('.lua')) texts.set(toPath(document.uri), document.getText());
  }
  return texts;
}
