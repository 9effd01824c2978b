import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useSession } from './support/session';

const SCRIPT = `-- Reads one key more than its name declares.
local id = redis.call('RPOP', KEYS[1])
redis.call('ZADD', KEYS[2], ARGV[1], id)
return redis.call('LLEN', KEYS[3])
`;

describe('a Lua script that reads past its keys, in the editor', () => {
  const session = useSession({
    prepare: (workspace) => {
      mkdirSync(join(workspace, 'transitions'));
      writeFileSync(join(workspace, 'transitions', 'moveBoth-2.lua'), SCRIPT);
      writeFileSync(join(workspace, 'transitions', 'ordinary.lua'), SCRIPT);
    },
  });
  const squiggle = () => session.workbench.page.locator('.monaco-editor .squiggly-error');

  it('has a squiggle under the key, and its reason in Problems', async () => {
    const { workbench } = session;
    await workbench.openFile('moveBoth-2.lua');
    await squiggle().first().waitFor();
    await workbench.runCommand('Problems: Focus on Problems View');
    const problem = workbench.page.locator('.markers-panel .monaco-list-row', { hasText: /KEYS\[3\]/ });
    await problem.first().waitFor();
    await workbench.screenshot('a Lua script that reads past its keys');
  });

  it('gets a new squiggle while it is typed', async () => {
    const { workbench } = session;
    await workbench.openFile('moveBoth-2.lua');
    await squiggle().first().waitFor();
    const before = await squiggle().count();
    await workbench.page.locator('.monaco-editor .view-line', { hasText: 'Reads one key more' }).click();
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.press('Enter');
    // Typing starts on a comment's continuation line in some settings: leave the comment first.
    await workbench.page.keyboard.press('Home');
    await workbench.page.keyboard.type('local more = KEYS[7]');
    await workbench.until(async () => assert.ok((await squiggle().count()) > before));
    await workbench.runCommand('File: Revert File');
    await workbench.until(async () => assert.equal(await squiggle().count(), before));
  });

  it('is repaired by a quick fix', async () => {
    const { workbench } = session;
    await workbench.openFile('moveBoth-2.lua');
    await squiggle().first().waitFor();
    const fixes = workbench.page.locator('.action-widget .monaco-list-row.action');
    await workbench.retry(
      async () => {
        await workbench.runCommand('Go to Next Problem (Error, Warning, Info)');
        await workbench.page.keyboard.press('Escape');
        await workbench.page.keyboard.press('Control+Period');
      },
      (timeout) => fixes.first().waitFor({ timeout }),
    );
    await workbench.screenshot('the quick fixes of a Lua script');
    await fixes.first().click();
    await workbench.until(async () => assert.equal(await squiggle().count(), 0));
  });

  it('is left alone when its name has no number', async () => {
    const { workbench } = session;
    await workbench.openFile('ordinary.lua');
    await workbench.until(async () => assert.match(await workbench.readEditor(), /KEYS\[3\]/));
    assert.equal(await squiggle().count(), 0);
  });
});
