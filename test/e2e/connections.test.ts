import assert from 'node:assert/strict';
import { menuLabel, paletteLabel } from './support/manifest';
import { PREFIX } from './support/oracle';
import { useSession } from './support/session';

const PASSWORD = 'correct horse battery staple';

describe('connections', () => {
  const session = useSession({
    redisArguments: ['--requirepass', PASSWORD],
    password: PASSWORD,
    connections: async () => [],
    seed: async (oracle) => void (await oracle.add('emails', 'hello', {})),
  });
  const connections = (): { name: string; url: string; prefixes: string[] }[] =>
    JSON.parse(session.workbench.readUserSettings())['echomq.connections'];

  it('begin with a view that says what to do', async () => {
    const welcome = session.workbench.page.locator('.part.sidebar .welcome-view-content');
    await welcome.locator('.monaco-button', { hasText: 'Add Connection' }).waitFor();
  });

  it('are added from the palette by URL; the password goes to the secret storage', async () => {
    const { workbench, tree, redis } = session;
    await workbench.runCommand(paletteLabel('echomq.connection.add'));
    await workbench.pick('By URL', 'Add connection');
    await workbench.enter('http://localhost', 'URL');
    await workbench.expectQuickInput(/redis:\/\//);
    await workbench.enter(`redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${redis.port}`);
    await workbench.enter(PREFIX, 'prefixes');
    await workbench.enter('By URL', 'Name of the connection');
    await tree.expand(['By URL', 'emails', 'Wait']);
    await tree.require(['By URL', 'emails', 'Wait', 'hello']);
    const [saved] = connections();
    assert.deepEqual([saved?.name, saved?.url, saved?.prefixes], ['By URL', `${redis.url}/0`, [PREFIX]]);
    assert.doesNotMatch(workbench.readUserSettings(), /correct/);
  });

  it('are added step by step', async () => {
    const { workbench, tree, redis } = session;
    await tree.pressTitleAction(menuLabel('echomq.connection.add'));
    await workbench.pick('Step by step', 'Add connection');
    await workbench.enter('127.0.0.1', 'Host');
    await workbench.enter(`${redis.port}`, 'Port');
    await workbench.enter('0', 'Database');
    await workbench.enter('', 'User name');
    await workbench.pick('No TLS');
    await workbench.enter(PASSWORD, 'Password');
    await workbench.enter(`bull, ${PREFIX}`, 'prefixes');
    await workbench.enter('By steps', 'Name of the connection');
    await tree.expand(['By steps', 'emails']);
    assert.deepEqual(connections().at(-1)?.prefixes, ['bull', PREFIX]);
  });

  it('are removed after a question, with nothing done to Redis', async () => {
    const { workbench, tree, oracle } = session;
    const before = (await oracle.redis.keys('*')).sort();
    await tree.chooseFromMenu(['By steps'], menuLabel('echomq.connection.remove'));
    assert.match(await workbench.answerDialog('Remove'), /By steps/);
    await workbench.until(async () => assert.equal(await tree.find(['By steps']), undefined));
    assert.deepEqual(
      connections().map(({ name }) => name),
      ['By URL'],
    );
    assert.deepEqual((await oracle.redis.keys('*')).sort(), before);
  });

  it('leave no client behind when they are removed', async () => {
    const { workbench, tree, oracle } = session;
    const clients = async () =>
      String(await oracle.redis.client('LIST'))
        .trim()
        .split('\n').length;
    const withTree = await clients();
    await tree.chooseFromMenu(['By URL'], menuLabel('echomq.connection.remove'));
    await workbench.answerDialog('Remove');
    await workbench.until(async () => assert.equal(await clients(), withTree - 1));
  });
});
