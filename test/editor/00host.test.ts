import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension host', () => {
  it('runs the installed package, not the sources', () => {
    const extension = vscode.extensions.getExtension('echomq.empty');
    assert.ok(extension);
    assert.match(extension.extensionPath, /echomq\.empty-0\.0\.0/);
  });
});
