import assert from 'node:assert/strict';
import { Keys } from '../../src/keys/keys';
import { PREFIX } from './support/oracle';
import { CONNECTION, useSession } from './support/session';

const QUEUE = '<img src=x onerror=alert(1)> [link](//evil.example) $(error)';
const NAME = '<b>bold</b> [click](https://evil.example) \u202Egnp.exe \u001b[31mred';
const ID = 'a/b?c#d%20e\\f $(trash)';

describe('names, ids and data that want to be more than text', () => {
  const session = useSession({
    seed: async ({ redis }) => {
      const keys = new Keys(PREFIX, QUEUE);
      await redis.hset(keys.meta(), 'version', 'bullmq:5.73.2');
      await redis.zadd(keys.failed(), 1, ID);
      await redis.hset(keys.job(ID), {
        ...{ name: NAME, timestamp: '1', finishedOn: '2', atm: '1', opts: '{}' },
        data: JSON.stringify({ html: '<script>document.title="hacked"</script>', link: '[x](command:foo)' }),
        failedReason: '<a href="command:foo">why</a>\n\u202Esecond line',
        stacktrace: JSON.stringify(['Error: <i>x</i>\n    at [evil](command:foo)']),
      });
    },
  });

  it('are rows of plain text, with what cannot be seen made visible', async () => {
    const { tree, workbench } = session;
    await tree.expand([CONNECTION, QUEUE, 'Failed']);
    const [row] = await tree.expectChildren([CONNECTION, QUEUE, 'Failed'], (rows) =>
      assert.equal(rows.length, 1),
    );
    assert.match(
      row?.label ?? '',
      /^<b>bold<\/b> \[click\]\(https:\/\/evil\.example\) \\u202egnp\.exe \\u001b\[31mred$/,
    );
    assert.match(row?.description ?? '', /<a href="command:foo">why<\/a> ⏎ \\u202esecond line/);
    const foreign = workbench.page.locator('.part.sidebar .monaco-list-row').locator('img, b, a[href]');
    assert.equal(await foreign.count(), 0);
  });

  it('are plain text in the tooltip', async () => {
    const { tree, workbench } = session;
    const [row] = await tree.readChildren([CONNECTION, QUEUE, 'Failed']);
    assert.ok(row);
    const text = await tree.readTooltip([CONNECTION, QUEUE, 'Failed', row.label]);
    assert.match(text, /<script>/);
    assert.match(text, /failed because:\s*<a href="command:foo">why<\/a>/);
    const rich = workbench.page
      .locator('.monaco-hover:visible, .workbench-hover:visible')
      .locator('a[href], a[data-href], b, script');
    assert.equal(await rich.count(), 0);
  });

  it('are plain text in the job’s document, whose address survives any id', async () => {
    const { tree, workbench } = session;
    const [row] = await tree.readChildren([CONNECTION, QUEUE, 'Failed']);
    assert.ok(row);
    await tree.click([CONNECTION, QUEUE, 'Failed', row.label]);
    await workbench.until(async () => {
      const text = await workbench.readEditor();
      assert.ok(text.includes('<script>document.title'), text);
      assert.ok(text.includes('\\u202esecond line'), text);
      assert.match(text, /id: +a\/b\?c#d%20e\\f \$\(trash\)\n/);
    });
    assert.doesNotMatch(await workbench.page.title(), /hacked/);
  });
});
