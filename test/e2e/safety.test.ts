import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WRITE_COMMANDS } from '../../src/editor/contributions';
import { packageDestroyer } from '../support/host/extraExtensions';
import { menuLabel, paletteLabel } from './support/manifest';
import type { Oracle } from './support/oracle';
import { PREFIX } from './support/oracle';
import { CONNECTION, type Session, useSession } from './support/session';

const WRITES = WRITE_COMMANDS.map(menuLabel);

const failTwo = async (oracle: Oracle) => {
  for (const name of ['first', 'second', 'third']) await oracle.add('emails', name, {});
  await oracle.failJobs('emails');
};

/** Fails when a menu offers what writes. */
async function assertNoWriteOffered({ tree }: Session, path: readonly string[]): Promise<void> {
  const offered = (await tree.readMenu(path)).filter((label) => WRITES.includes(label));
  assert.deepEqual(offered, [], path.join(' › '));
}

/** Fails when the palette offers what writes. Other commands of ours show that it has answered. */
async function assertPaletteOffersNoWrite({ workbench }: Session): Promise<void> {
  await workbench.page.keyboard.press('F1');
  await workbench.quickText.fill('>EchoMQ: ');
  await workbench.quickRow(paletteLabel('echomq.journal.show')).first().waitFor();
  const labels = (await workbench.quickRow('EchoMQ').allInnerTexts()).join('\n');
  for (const label of WRITES) assert.ok(!labels.includes(`EchoMQ: ${label}`), label);
  await workbench.page.keyboard.press('Escape');
}

describe('the first write of a window', () => {
  const session = useSession({ seed: failTwo });
  const failed = [CONNECTION, 'emails', 'Failed'];
  const retry = (name: string) =>
    session.tree.chooseFromMenu([...failed, name], menuLabel('echomq.job.retry'));
  const dump = async () => {
    const { redis } = session.oracle;
    const keys = session.oracle.keys('emails');
    const failedIds = await redis.zrange(keys.failed(), '0', '-1');
    return JSON.stringify([
      failedIds,
      await redis.lrange(keys.wait(), 0, -1),
      await redis.xlen(keys.events()),
    ]);
  };

  it('asks, and says where it would go; who declines finds nothing done', async () => {
    const { tree, workbench, redis } = session;
    await tree.expand(failed);
    const before = await dump();
    await retry('first');
    await workbench.dialog.waitFor();
    await workbench.screenshot('the question before the first write');
    const text = await workbench.answerDialog('Cancel');
    assert.match(text, /first write to "Local"/);
    assert.ok(text.includes(`redis://127.0.0.1:${redis.port}/0`), text);
    assert.match(text, /Server: (Redis|Valkey) \d+\.\d+\.\d+, primary/);
    assert.match(text, /Connected clients: \d+/);
    assert.match(text, /Queues under emq: 1/);
    assert.match(text, /tunnel/);
    assert.equal(await dump(), before);
    assert.equal(await workbench.toast(/./).count(), 0, 'declining is answered by silence');
  });

  it('asks again after a no, and once it may write, no more', async () => {
    const { workbench, oracle } = session;
    await retry('first');
    await workbench.answerDialog('Allow Writes');
    await workbench.toast(/Retried/).waitFor();
    await workbench.clearToasts();
    await retry('second');
    await workbench.toast(/Retried/).waitFor();
    const { wait, failed: left } = await oracle.count('emails');
    assert.deepEqual([wait, left], [2, 1]);
  });

  it('is in the journal, the newest action first, and not the one that was declined', async () => {
    const { workbench, redis } = session;
    await workbench.runCommand(paletteLabel('echomq.journal.show'));
    await workbench.until(async () => {
      const text = await workbench.readEditor();
      assert.equal(text.match(/Retry Job: done/g)?.length, 2, text);
      const [newer, older] = text.split('Retry Job: done').slice(1);
      assert.match(newer ?? '', /^ +job +2$/m);
      assert.match(older ?? '', /^ +job +1$/m);
      assert.ok(text.includes(`Local (redis://127.0.0.1:${redis.port}/0)`), text);
      assert.match(text, /script +reprocessJob-8/);
    });
  });

  it('is refused again when writes are blocked in this window', async () => {
    const { tree, workbench } = session;
    await tree.chooseFromMenu([CONNECTION], menuLabel('echomq.connection.blockWrites'));
    await workbench.until(async () =>
      assert.match((await tree.require([CONNECTION])).description, /^read-only · /),
    );
    await assertNoWriteOffered(session, [...failed, 'third']);
    await assertPaletteOffersNoWrite(session);
  });
});

describe('a server that is not on this machine', () => {
  // A name for this machine that is none of its loopback addresses.
  const session = useSession({
    seed: failTwo,
    connections: async (redis) => [
      { name: 'Remote', url: `redis://0.0.0.0:${redis.port}`, prefixes: [PREFIX] },
    ],
  });
  const failed = ['Remote', 'emails', 'Failed'];

  it('is read-only: its row has a lock and says so, and neither tree nor palette offers a write', async () => {
    const { tree } = session;
    await tree.expand(failed);
    assert.match((await tree.require(['Remote'])).description, /^read-only · redis:\/\/0\.0\.0\.0/);
    await tree.requireIcon(['Remote'], 'lock');
    for (const path of [failed.slice(0, 2), [...failed, 'first']]) {
      await assertNoWriteOffered(session, path);
    }
    await assertPaletteOffersNoWrite(session);
  });

  it('takes writes once they are allowed, which asks the one question there is', async () => {
    const { tree, workbench, oracle } = session;
    await tree.pressInline(['Remote'], menuLabel('echomq.connection.allowWrites'));
    const text = await workbench.answerDialog('Allow Writes');
    assert.match(text, /Allow writes to "Remote" until this window closes\?/);
    assert.match(text, /Connected clients: \d+/);
    await workbench.until(async () =>
      assert.doesNotMatch((await tree.require(['Remote'])).description, /read-only/),
    );
    await tree.chooseFromMenu([...failed, 'first'], menuLabel('echomq.job.retry'));
    await workbench.toast(/Retried/).waitFor();
    assert.equal((await oracle.count('emails')).wait, 1);
  });
});

describe('a connection that is read-only by its setting, next to one that is not', () => {
  const session = useSession({
    seed: failTwo,
    connections: async ({ url }) => [
      { name: 'Fixed', url, prefixes: [PREFIX], readOnly: true, label: 'production' },
      { name: CONNECTION, url, prefixes: [PREFIX] },
    ],
  });

  it('cannot be written to, and says where that stands', async () => {
    const { tree, workbench } = session;
    await tree.expand(['Fixed', 'emails', 'Failed']);
    await assertNoWriteOffered(session, ['Fixed', 'emails', 'Failed', 'first']);
    const menu = await tree.readMenu(['Fixed']);
    assert.ok(!menu.includes(menuLabel('echomq.connection.allowWrites')));
    await workbench.runCommand(paletteLabel('echomq.connection.allowWrites'));
    await workbench.pick('Fixed', 'Connection');
    await workbench.toast(/"Fixed" is read-only by its setting/).waitFor();
    await tree.collapse(['Fixed']);
  });

  it('is not offered for a write from the palette, the other one is', async () => {
    const { workbench } = session;
    await workbench.runCommand(paletteLabel('echomq.job.add'));
    await workbench.expectQuickInput(`Queue of ${CONNECTION}`);
    await workbench.page.keyboard.press('Escape');
  });

  it('shows its label production as a word and an icon of that colour', async () => {
    assert.match((await session.tree.require(['Fixed'])).description, /^production · read-only · /);
  });
});

describe('the label production', () => {
  const session = useSession({ seed: failTwo });
  const label = async (choice: string) => {
    await session.tree.chooseFromMenu([CONNECTION], menuLabel('echomq.connection.label'));
    await session.workbench.pick(choice, 'Label of Local');
  };

  it('is set from the connection’s row, shown there and kept in the settings', async () => {
    const { tree, workbench } = session;
    await label('Production');
    await workbench.until(async () =>
      assert.match((await tree.require([CONNECTION])).description, /^production · redis/),
    );
    await tree.requireIcon([CONNECTION], 'flame');
    await workbench.screenshot('a connection labelled production');
    assert.match(workbench.readUserSettings(), /"label": "production"/);
  });

  it('is kept when the connection is edited', async () => {
    const { tree, workbench, redis } = session;
    await tree.chooseFromMenu([CONNECTION], menuLabel('echomq.connection.edit'));
    await workbench.pick('By URL', 'Edit connection');
    await workbench.enter(redis.url, 'URL');
    await workbench.enter('', 'Password');
    await workbench.enter(PREFIX, 'prefixes');
    await workbench.enter('Renamed', 'Name of the connection');
    await workbench.until(async () =>
      assert.match((await tree.require(['Renamed'])).description, /^production · redis/),
    );
  });

  it('is taken away again', async () => {
    const { tree, workbench } = session;
    await tree.chooseFromMenu(['Renamed'], menuLabel('echomq.connection.label'));
    await workbench.pick('No label', 'Label of Renamed');
    await workbench.until(async () => assert.match((await tree.require(['Renamed'])).description, /^redis/));
    assert.doesNotMatch(workbench.readUserSettings(), /"label"/);
  });
});

describe('a workspace that is not trusted', () => {
  const session = useSession({
    seed: failTwo,
    isUntrusted: true,
    prepare: (workspace) => {
      mkdirSync(join(workspace, '.vscode'));
      const connections = [{ name: 'Planted', url: 'redis://planted.invalid:6379' }];
      writeFileSync(
        join(workspace, '.vscode', 'settings.json'),
        JSON.stringify({ 'echomq.connections': connections }),
      );
    },
  });

  it('names no server: the user’s own connections are there and are read-only', async () => {
    const { tree } = session;
    await tree.expand([CONNECTION, 'emails', 'Failed']);
    const rows = (await tree.readRows()).filter(({ level }) => level === 1);
    assert.deepEqual(
      rows.map(({ label }) => label),
      [CONNECTION],
    );
    assert.match(rows[0]?.description ?? '', /^read-only · /);
    await assertNoWriteOffered(session, [CONNECTION, 'emails', 'Failed', 'first']);
    await assertPaletteOffersNoWrite(session);
  });

  it('takes no writes, not even when the user allows them', async () => {
    const { workbench } = session;
    await workbench.runCommand(paletteLabel('echomq.connection.allowWrites'));
    await workbench.toast(/not trusted/).waitFor();
  });
});

describe('something destructive', () => {
  const command = (name: string, title: string) => ({
    command: `destroyer.${name}`,
    title: `Destroyer: ${title}`,
  });
  const session = useSession({
    vsix: () => [
      packageDestroyer([
        command('plain', 'Obliterate'),
        command('production', 'Obliterate Production'),
        command('readOnly', 'Obliterate Read-Only'),
      ]),
    ],
  });

  it('shows how many jobs it touches, the oldest and the newest, and is left without a word', async () => {
    const { workbench } = session;
    await workbench.runCommand('Destroyer: Obliterate');
    const text = await workbench.answerDialog('Cancel');
    assert.match(text, /Obliterate 12 jobs of emails on "Local"\?/);
    assert.match(text, /Jobs: 12\nOldest: .*, 9 d ago\nNewest: .*, 3 d ago\nIds: 1, 2 and 10 more/);
    await workbench.toast('The user left.').waitFor();
    await workbench.clearToasts();
    await workbench.runCommand('Destroyer: Obliterate');
    await workbench.answerDialog('Obliterate');
    await workbench.toast('The user agreed.').waitFor();
  });

  it('wants the name of the queue typed on production', async () => {
    const { workbench } = session;
    await workbench.runCommand('Destroyer: Obliterate Production');
    assert.match(await workbench.answerDialog('Obliterate'), /PRODUCTION/);
    await workbench.enter('Emails', 'Type the name of the queue');
    await workbench.expectQuickInput('This is not the name of the queue');
    await workbench.screenshot('the name of the queue is to be typed');
    await workbench.page.keyboard.press('Escape');
    await workbench.toast('The user left.').waitFor();
    await workbench.clearToasts();
    await workbench.runCommand('Destroyer: Obliterate Production');
    await workbench.answerDialog('Obliterate');
    await workbench.enter('emails', 'Type the name of the queue');
    await workbench.toast('The user agreed.').waitFor();
  });

  it('asks nothing about a read-only connection and refuses', async () => {
    const { workbench } = session;
    await workbench.runCommand('Destroyer: Obliterate Read-Only');
    await workbench.toast(/"Local" is read-only by its setting/).waitFor();
    assert.equal(await workbench.dialog.count(), 0);
  });
});
