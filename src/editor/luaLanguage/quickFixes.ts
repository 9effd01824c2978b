/** Turns the fixes that a check suggests into quick fixes. */
import * as vscode from 'vscode';
import type { Fix } from '../../language/types';
import { type LuaChecks, toEditorRange } from './checks';
import { toUri } from './paths';

/** Offers the fixes of what the checks found where the cursor is. */
export class LuaQuickFixes implements vscode.CodeActionProvider {
  static readonly metadata: vscode.CodeActionProviderMetadata = {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  };

  constructor(private readonly checks: LuaChecks) {}

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    context: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const actions: vscode.CodeAction[] = [];
    for (const diagnostic of this.checks.getDiagnostics(document)) {
      const place = toEditorRange(diagnostic.range);
      if (!place.intersection(range)) continue;
      const shown = context.diagnostics.filter(
        (one) =>
          one.code === diagnostic.code && one.range.isEqual(place) && one.message === diagnostic.message,
      );
      for (const fix of diagnostic.fixes) {
        // Several indices ask for the same new name; one offer is enough.
        if (fix.kind === 'renameFile' && actions.some((action) => action.title === fix.title)) continue;
        const edit = await toEdit(document, fix);
        if (!edit) continue;
        const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
        action.edit = edit;
        action.diagnostics = shown;
        actions.push(action);
      }
    }
    return actions;
  }
}

/** The change of a fix; `undefined` when it cannot be made, for the new name is taken. */
async function toEdit(document: vscode.TextDocument, fix: Fix): Promise<vscode.WorkspaceEdit | undefined> {
  const edit = new vscode.WorkspaceEdit();
  if (fix.kind === 'replace') {
    edit.replace(document.uri, toEditorRange(fix.range), fix.text);
    return edit;
  }
  const from = toUri(fix.from);
  const to = toUri(fix.to);
  if (!from || !to || (await exists(to))) return undefined;
  edit.renameFile(from, to, { overwrite: false });
  return edit;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
