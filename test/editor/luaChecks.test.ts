import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { requireExtension, until, workspaceFile } from './support/host';

const diagnosticsOf = (uri: vscode.Uri) =>
  vscode.languages.getDiagnostics(uri).filter(({ source }) => /echomq/i.test(source ?? ''));

const open = async (path: string) => {
  const document = await vscode.workspace.openTextDocument(workspaceFile(path));
  await vscode.window.showTextDocument(document);
  return document;
};

describe('the check of KEYS in Lua scripts', () => {
  before(() => requireExtension().activate());
  afterEach(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

  it('reports a key past the number in the file’s name, right where it is read', async () => {
    const document = await open('transitions/moveBoth-2.lua');
    const [diagnostic] = await until('there is an error', () => {
      const found = diagnosticsOf(document.uri);
      return found.length > 0 && found;
    });
    assert.ok(diagnostic);
    assert.equal(diagnostic.severity, vscode.DiagnosticSeverity.Error);
    assert.match(document.getText(diagnostic.range), /^(KEYS\[3\]|3)$/);
    assert.match(diagnostic.message, /3/);
    assert.match(diagnostic.message, /2/);
  });

  it('offers a quick fix that removes the error', async () => {
    const document = await open('transitions/moveBoth-2.lua');
    const [diagnostic] = await until('there is an error', () => {
      const found = diagnosticsOf(document.uri);
      return found.length > 0 && found;
    });
    assert.ok(diagnostic);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      diagnostic.range,
      vscode.CodeActionKind.QuickFix.value,
    );
    assert.ok(actions.length > 0, 'no quick fix');
  });

  it('reports a mistake while it is typed, and forgets it when it is gone', async () => {
    const document = await open('transitions/moveBoth-2.lua');
    const count = () => diagnosticsOf(document.uri).length;
    await until('the first error is there', () => count() === 1);
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    const end = document.lineAt(document.lineCount - 1).range.end;
    await editor.edit((edit) => edit.insert(end, '\nlocal extra = KEYS[0]\n'));
    await until('the second error is there', () => count() === 2);
    await vscode.commands.executeCommand('undo');
    await until('it is gone again', () => count() === 1);
  });

  it('leaves a Lua file without a number in its name alone', async () => {
    await open('transitions/moveBoth-2.lua');
    await until(
      'the checks have run',
      () => diagnosticsOf(workspaceFile('transitions/moveBoth-2.lua')).length > 0,
    );
    const ordinary = await open('transitions/ordinary.lua');
    assert.deepEqual(diagnosticsOf(ordinary.uri), []);
  });
});
