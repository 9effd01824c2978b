import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary';
import { openDesktop } from './desktop';

// Stands in for the `code` of a desktop VS Code: notes what it is asked, and with --wait stays until it is told to go.
const CODE = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const args = process.argv.slice(2);
const settings = readFileSync(args[args.indexOf('--user-data-dir') + 1] + '/User/settings.json', 'utf8');
appendFileSync(__dirname + '/calls', JSON.stringify({ args, settings: JSON.parse(settings) }) + '\\n');
if (args.includes('--wait')) setInterval(() => { if (require('node:fs').existsSync(__dirname + '/close')) process.exit(0); }, 10);
`;

describe('the demo in a desktop VS Code', () => {
  let folder: TemporaryFolder;
  let code: string;
  const request = { vsix: '/tmp/echomq.vsix', settings: { 'a.b': 1 }, workspace: '/tmp/workspace' };

  beforeEach(() => {
    folder = makeTemporaryFolder('code');
    code = join(folder.path, 'code');
    writeFileSync(code, CODE);
    chmodSync(code, 0o755);
  });
  afterEach(() => folder.remove());

  it('installs the package and opens the folder, apart from the user’s own data and extensions', async () => {
    const editor = openDesktop(code, request);
    writeFileSync(join(folder.path, 'close'), '');
    await editor.closed;
    const calls = readFileSync(join(folder.path, 'calls'), 'utf8').trim().split('\n');
    const [install, open] = calls.map((line) => JSON.parse(line));
    assert.deepEqual(install.args.slice(-3), ['--install-extension', request.vsix, '--force']);
    assert.ok(open.args.includes('--wait') && open.args.at(-1) === request.workspace);
    assert.deepEqual(open.settings, request.settings);
    assert.equal(open.args[0], '--user-data-dir');
    assert.equal(open.args[2], '--extensions-dir');
    await editor.stop();
    assert.equal(existsSync(open.args[1]), false);
    assert.equal(existsSync(open.args[3]), false);
  });

  it('closes the window when the demo ends first', async () => {
    const editor = openDesktop(code, request);
    await editor.stop();
    await editor.closed;
  });

  it('says why the extension could not be installed', () => {
    writeFileSync(code, `#!${process.execPath}\nconsole.error('no such package'); process.exit(1);`);
    assert.throws(() => openDesktop(code, request), /could not install the extension: no such package/);
  });
});
