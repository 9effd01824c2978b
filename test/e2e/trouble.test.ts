import assert from 'node:assert/strict';
import { findFreePort } from '../support/redisServer';
import { menuLabel } from './support/manifest';
import { CONNECTION, useSession } from './support/session';

describe('a Redis that goes away under an open tree', () => {
  const session = useSession({
    writable: [CONNECTION],
    seed: async (oracle) => void (await oracle.add('emails', 'first', {})),
  });
  const refresh = () => session.tree.pressTitleAction(menuLabel('echomq.queues.refresh'));

  it('is told in a sentence with a way to retry, and the tree recovers when it is back', async () => {
    const { tree, redis, oracle, workbench } = session;
    await tree.expand([CONNECTION, 'emails']);
    await redis.halt();
    await refresh();
    const message = await tree.require([
      CONNECTION,
      /^Nothing listens at 127\.0\.0\.1:\d+\. Start Redis there/,
    ]);
    assert.match(message.description, /retry/i);
    await workbench.screenshot('a Redis that is gone');

    await redis.restart();
    await oracle.add('emails', 'second', {});
    await tree.click([CONNECTION, message.label]);
    assert.equal((await tree.require([CONNECTION, 'emails'])).description, '1 wait');
    await tree.expand([CONNECTION, 'emails', 'Wait']);
    await tree.require([CONNECTION, 'emails', 'Wait', 'second']);
  });

  it('loses its scripts and a retry still works', async () => {
    const { tree, oracle, workbench } = session;
    await oracle.failJobs('emails');
    await refresh();
    const path = [CONNECTION, 'emails', 'Failed', 'second'];
    await tree.expand(path.slice(0, -1));
    await oracle.redis.script('FLUSH');
    await tree.chooseFromMenu(path, menuLabel('echomq.job.retry'));
    await workbench.toast(/Retried/).waitFor();
    const counts = await oracle.count('emails');
    assert.deepEqual([counts.wait, counts.failed], [1, 0]);
  });

  it('cuts a command off: the sentence says so, with Retry where nothing can happen twice', async () => {
    const { tree, redis, oracle, workbench } = session;
    await oracle.failJobs('emails');
    await refresh();
    const path = [CONNECTION, 'emails', 'Failed', 'second'];
    await tree.expand(path.slice(0, -1));
    await redis.halt();
    await tree.chooseFromMenu(path, menuLabel('echomq.job.retry'));
    await workbench.toast(/127\.0\.0\.1/).waitFor();
    await redis.restart();
    await refresh();
    await tree.expand([CONNECTION]);
  });
});

describe('connections that cannot work', () => {
  const PASSWORD = 'correct horse';
  const session = useSession({
    redisArguments: ['--requirepass', PASSWORD],
    connections: async (redis) => [
      { name: 'No password', url: redis.url, prefixes: ['emq'] },
      { name: 'Nobody there', url: `redis://127.0.0.1:${await findFreePort()}`, prefixes: ['emq'] },
      { name: 'No such host', url: 'redis://no-such-host.invalid:6379', prefixes: ['emq'] },
    ],
  });

  const expectSentence = async (connection: string, pattern: RegExp) => {
    const { tree } = session;
    await tree.expand([connection]);
    const message = await tree.require([connection, pattern]);
    assert.match(message.description, /retry/i);
    await tree.collapse([connection]);
  };

  it('say that a password is missing', () => expectSentence('No password', /password|NOAUTH/i));
  it('say that nobody listens', () => expectSentence('Nobody there', /^Nothing listens at/));
  it('say that there is no such host', () => expectSentence('No such host', /no-such-host\.invalid/));

  it('refuse a wrong password when a connection is added, and work with the right one', async () => {
    const { tree, workbench, redis } = session;
    const label = menuLabel('echomq.connection.edit');
    await tree.chooseFromMenu(['No password'], label);
    const answer = async (password: string) => {
      await workbench.pick('By URL', 'Edit connection');
      await workbench.enter(redis.url, 'URL');
      await workbench.enter(password, 'Password');
      await workbench.enter('emq', 'prefixes');
      await workbench.enter('No password', 'Name of the connection');
    };
    await answer('wrong');
    assert.match(await workbench.answerDialog('Cancel'), /password/i);
    await tree.chooseFromMenu(['No password'], label);
    await answer(PASSWORD);
    await tree.expand(['No password']);
    await workbench.until(async () => {
      const rows = await tree.readChildren(['No password']);
      assert.ok(!rows.some((row) => /password/i.test(row.label)), 'the password is still refused');
    });
    const settings = workbench.readUserSettings();
    assert.doesNotMatch(settings, new RegExp(PASSWORD), 'the password is in the settings');
  });
});

describe('keys that are damaged', () => {
  const session = useSession({
    seed: async (oracle) => {
      const { redis } = oracle;
      await oracle.add('healthy', 'fine', {});
      await oracle.add('broken', 'fine', {});
      const keys = oracle.keys('broken');
      await redis.set(keys.failed(), 'this is no sorted set');
      await redis.zadd(keys.completed(), 1, 'ghost', 2, 'garbage', 3, 'no-hash');
      await redis.hset(keys.job('garbage'), {
        name: 'garbage',
        atm: 'many',
        timestamp: 'yesterday',
        opts: '{{{',
        data: 'no JSON',
        x: '1',
      });
      await redis.set(keys.job('no-hash'), 'a string where a hash should be');
    },
  });

  it('leave every other count right', async () => {
    const { tree } = session;
    await tree.expand([CONNECTION, 'broken']);
    await tree.expectChildren([CONNECTION, 'broken'], (rows) => {
      const counts = Object.fromEntries(rows.map(({ label, description }) => [label, description]));
      assert.deepEqual([counts.Wait, counts.Completed, counts.Failed], ['1', '3', '?']);
    });
    assert.equal((await tree.require([CONNECTION, 'healthy'])).description, '1 wait');
  });

  it('say in the row that its id has no job, or a job that is no hash', async () => {
    const { tree } = session;
    await tree.expand([CONNECTION, 'broken', 'Completed']);
    await tree.expectChildren([CONNECTION, 'broken', 'Completed'], (rows) => {
      const texts = rows.map(({ label, description }) => `${label} ${description}`);
      assert.equal(texts.length, 3);
      assert.match(texts[0] ?? '', /#no-hash · The key .* does not hold a hash/);
      assert.match(texts[1] ?? '', /^garbage #garbage/);
      assert.match(texts[2] ?? '', /^\(job is gone\) #ghost/);
    });
  });

  it('can be expanded to a sentence', async () => {
    const { tree } = session;
    await tree.expand([CONNECTION, 'broken', 'Failed']);
    await tree.require([CONNECTION, 'broken', 'Failed', /^The key "emq:broken:failed"/]);
    await tree.collapse([CONNECTION, 'broken', 'Failed']);
  });

  it('open as a document all the same', async () => {
    const { tree, workbench } = session;
    await tree.click([CONNECTION, 'broken', 'Completed', 'garbage']);
    await workbench.until(async () => assert.match(await workbench.readEditor(), /no JSON/));
    await tree.click([CONNECTION, 'broken', 'Completed', '(no name)']);
    await workbench.until(async () =>
      assert.match(await workbench.readEditor(), /problem: +The key .* does not hold a hash/),
    );
  });
});
