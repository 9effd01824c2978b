import assert from 'node:assert/strict';
import { menuLabel, paletteLabel } from './support/manifest';
import { CONNECTION, useSession } from './support/session';

/** Of the data of a job that opens without it. */
const LONG = 10_000_000;
const PATH = [CONNECTION, 'payments', 'Failed', 'capture'];

describe('a job’s document', () => {
  const session = useSession({
    writable: [CONNECTION],
    seed: async (oracle) => {
      await oracle.add(
        'payments',
        'capture',
        { amount: 12.5, currency: 'EUR' },
        { attempts: 2, jobId: 'pay-1' },
      );
      await oracle.failJobs('payments');
      // The number is longer than JavaScript can keep: the document must show it digit by digit.
      await oracle.redis.hset(
        oracle.keys('payments').job('pay-1'),
        'data',
        '{"id":9007199254740993,"rate":1.0}',
      );
      await oracle.add('payments', 'statement', {}, { jobId: 'pay-2' });
      const long = JSON.stringify({ text: 'x'.repeat(LONG), end: 'the end' });
      await oracle.redis.hset(oracle.keys('payments').job('pay-2'), 'data', long);
    },
  });
  const expectText = (pattern: RegExp) =>
    session.workbench.until(async () => assert.match(await session.workbench.readEditor(), pattern));

  it('opens on a click and shows state, data, attempts and why it failed', async () => {
    await session.tree.expand(PATH.slice(0, -1));
    await session.tree.click(PATH);
    await expectText(/state: +failed/);
    await expectText(/attempts: +2 made, 2 started/);
    await expectText(/"id": 9007199254740993,\n +"rate": 1\.0/);
    await expectText(/FAILED BECAUSE\n +capture did not work/);
    await expectText(/newest first[\s\S]*\[1 of 2\][\s\S]*at /);
  });

  it('leaves out data of 10 MB, says so, and loads it when asked; only then is there a button', async () => {
    const { tree, workbench } = session;
    const button = workbench.page.locator('.editor-actions .action-label', { hasText: 'Load Whole Job' });
    await tree.expand([CONNECTION, 'payments', 'Wait']);
    await tree.click([CONNECTION, 'payments', 'Wait', 'statement']);
    await expectText(/DATA\n +\(10\.0 MB, not loaded/);
    await button.click();
    await expectText(/DATA\n +{\n +"text": "xxxxxxxx/);
    await button.waitFor({ state: 'detached' });
    await tree.click(PATH);
    await expectText(/state: +failed/);
    await button.waitFor({ state: 'detached' });
  });

  it('cannot be edited', async () => {
    const { workbench } = session;
    await session.tree.click(PATH);
    await expectText(/state: +failed/);
    // The ages are counted when the document is read, and that is when it is opened.
    const read = async () => (await workbench.readEditor()).replace(/\(.* ago\)/g, '');
    const before = await read();
    await workbench.page.locator('.monaco-editor .view-line').first().click();
    await workbench.page.keyboard.type('x');
    assert.equal(await read(), before);
    await workbench.page.locator('.tab.active:not(.dirty)').first().waitFor();
  });

  it('follows the job when it is moved', async () => {
    await session.tree.click(PATH);
    await expectText(/state: +failed/);
    await session.tree.chooseFromMenu(PATH, menuLabel('echomq.job.retry'));
    await expectText(/state: +wait/);
  });

  it('is not needed to copy the id', async () => {
    const { tree, workbench } = session;
    const path = [CONNECTION, 'payments', 'Wait', 'capture'];
    await tree.expand(path.slice(0, -1));
    await tree.chooseFromMenu(path, menuLabel('echomq.job.copyId'));
    // The page is asked by its text, for its types are not those of this program.
    await workbench.until(async () =>
      assert.equal(await workbench.page.evaluate('navigator.clipboard.readText()'), 'pay-1'),
    );
  });

  it('is not needed to copy the id from the palette either', async () => {
    const { workbench } = session;
    await workbench.runCommand(paletteLabel('echomq.job.copyId'));
    await workbench.pick('payments', 'Queue');
    await workbench.pick('statement', 'Job of payments');
    await workbench.until(async () =>
      assert.equal(await workbench.page.evaluate('navigator.clipboard.readText()'), 'pay-2'),
    );
  });
});
