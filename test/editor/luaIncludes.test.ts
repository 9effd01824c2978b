import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { requireExtension, until, workspaceFile } from './support/host';

// Every test has a folder of its own, because VS Code keeps a closed document, and tells of a deleted file, later.
let count = 0;
let folder: vscode.Uri;
let script: vscode.Uri;
let include: vscode.Uri;

const messagesOf = (uri: vscode.Uri) =>
  vscode.languages
    .getDiagnostics(uri)
    .filter(({ source }) => source === 'EchoMQ')
    .map(({ message }) => message);

const write = (uri: vscode.Uri, text: string) => vscode.workspace.fs.writeFile(uri, Buffer.from(text));

/** Opens a file as a person does; a document opened by the API stays open for minutes after its editor. */
const show = async (uri: vscode.Uri): Promise<vscode.TextEditor> => {
  await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
  const editor = vscode.window.activeTextEditor;
  assert.equal(editor?.document.uri.toString(), uri.toString());
  return editor;
};

/** Puts another text in the editor, unsaved. */
const replaceAll = (editor: vscode.TextEditor, text: string) =>
  editor.edit((edit) => edit.replace(new vscode.Range(0, 0, editor.document.lineCount, 0), text));

const fixesAt = async (uri: vscode.Uri) => {
  const [diagnostic] = vscode.languages.getDiagnostics(uri);
  assert.ok(diagnostic);
  return vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    uri,
    diagnostic.range,
    vscode.CodeActionKind.QuickFix.value,
  );
};

describe('the check of KEYS through includes', () => {
  before(() => requireExtension().activate());
  beforeEach(async () => {
    folder = workspaceFile(`checks ${++count}`);
    script = vscode.Uri.joinPath(folder, 'park-1.lua');
    include = vscode.Uri.joinPath(folder, 'includes/read it.lua');
    await write(script, '--- @include "includes/read it"\nreturn KEYS[1]\n');
    await write(include, 'return KEYS[2]\n');
  });
  afterEach(async () => {
    while (vscode.window.activeTextEditor) {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  it('reports at the include line of the script and, naming it, at the use in the include', async () => {
    await show(script);
    await until('the script has an error', () => messagesOf(script).length === 1);
    await show(include);
    const [message] = await until('the include has an error', () => {
      const found = messagesOf(include);
      return found.length === 1 && found;
    });
    assert.match(message ?? '', /park-1\.lua/);
  });

  it('finds the scripts of an include that was opened alone', async () => {
    await show(include);
    await until('the include has an error', () => messagesOf(include).length === 1);
  });

  it('prefers what is in an editor to what is saved', async () => {
    await show(script);
    await until('the script has an error', () => messagesOf(script).length === 1);
    const editor = await show(include);
    await replaceAll(editor, 'return KEYS[1]\n');
    await until('both are right', () => messagesOf(script).length + messagesOf(include).length === 0);
    await replaceAll(editor, 'return KEYS[4], KEYS[3]\n');
    await until('both are wrong', () => messagesOf(script).length === 2 && messagesOf(include).length === 2);
  });

  it('notices a change on disk', async () => {
    await show(script);
    await until('the script has an error', () => messagesOf(script).length === 1);
    await write(include, 'return KEYS[1]\n');
    await until('it is gone', () => messagesOf(script).length === 0);
    await vscode.workspace.fs.delete(include);
    await write(include, 'return KEYS[9]\n');
    await until('it is back', () => messagesOf(script).length === 1);
  });

  it('renames the file to the highest index in use, and all is well', async () => {
    const renamed = vscode.Uri.joinPath(folder, 'park-4.lua');
    await write(include, 'return KEYS[4]\n');
    await show(script);
    await until('the script has an error', () => messagesOf(script).length === 1);
    const fixes = await fixesAt(script);
    assert.deepEqual(
      fixes.map(({ title }) => title),
      ['Rename file to park-4.lua'],
    );
    assert.ok(fixes[0]?.edit && (await vscode.workspace.applyEdit(fixes[0].edit)));
    await until('the editor has moved', () =>
      vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === renamed.toString()),
    );
    await until('nothing is wrong', () => messagesOf(script).length + messagesOf(renamed).length === 0);
  });

  it('does not offer a name that is taken', async () => {
    await write(vscode.Uri.joinPath(folder, 'park-2.lua'), 'return 1\n');
    await show(script);
    await until('the script has an error', () => messagesOf(script).length === 1);
    assert.deepEqual(await fixesAt(script), []);
  });

  it('changes the index in an include to one that every script has', async () => {
    const editor = await show(include);
    await until('the include has an error', () => messagesOf(include).length === 1);
    const [fix] = await fixesAt(include);
    assert.equal(fix?.title, 'Change to KEYS[1]');
    assert.ok(fix.edit && (await vscode.workspace.applyEdit(fix.edit)));
    assert.equal(editor.document.getText(), 'return KEYS[1]\n');
    await until('nothing is wrong', () => messagesOf(include).length === 0);
  });

  it('forgets what it found when the editor is closed', async () => {
    await show(script);
    await until('the script has an error', () => messagesOf(script).length === 1);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await until('the finding is gone', () => messagesOf(script).length === 0);
  });
});
