import assert from 'node:assert/strict';
import { makeAuthority } from '../support/certificates';
import { findFreePort } from '../support/redisServer';
import { makeTemporaryFolder } from '../support/temporary';
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

describe('a connection by TLS for a user with few rights', () => {
  const folder = makeTemporaryFolder('tls');
  const files = { caFile: '', certFile: '', keyFile: '' };
  let tlsPort = 0;
  const session = useSession({
    connections: async () => [],
    redisArguments: async () => {
      const authority = makeAuthority(folder.path, 'ours');
      const server = authority.issue('server', { names: 'DNS:cache.example' });
      Object.assign(files, { caFile: authority.caFile, ...authority.issue('client') });
      tlsPort = await findFreePort();
      const tls = [
        '--tls-port',
        `${tlsPort}`,
        '--tls-ca-cert-file',
        authority.caFile,
        '--tls-auth-clients',
        'yes',
      ];
      return [...tls, '--tls-cert-file', server.certFile, '--tls-key-file', server.keyFile];
    },
    seed: async (oracle) => {
      await oracle.add('emails', 'hello', {});
      const rights = ['on', `>${PASSWORD}`, `~${PREFIX}:*`, '+@read', '+@connection'];
      await oracle.redis.call('ACL', 'SETUSER', 'ann', ...rights);
    },
  });
  after(() => folder.remove());

  const answer = async (servername: string) => {
    const { workbench } = session;
    await workbench.pick('Step by step', /(Add|Edit) connection/);
    await workbench.enter('127.0.0.1', 'Host');
    await workbench.enter(`${tlsPort}`, 'Port');
    await workbench.enter('0', 'Database');
    await workbench.enter('ann', 'User name');
    await workbench.pick('TLS with own files', 'encrypted');
    await workbench.enter(`${files.caFile}.none`, 'authority');
    await workbench.expectQuickInput('There is no such file');
    await workbench.enter(files.caFile);
    await workbench.enter(files.certFile, 'client certificate');
    await workbench.enter(files.keyFile, 'key of your client');
    await workbench.enter(servername, 'Name that the certificate');
    await workbench.pick('Check the certificate', 'any certificate');
    await workbench.enter(PASSWORD, 'Password');
    await workbench.enter(PREFIX, 'prefixes');
    await workbench.enter('Secure', 'Name of the connection');
  };

  it('is added by form: a wrong server name is told before it is saved, the right one shows the queues', async () => {
    const { workbench, tree } = session;
    await workbench.runCommand(paletteLabel('echomq.connection.add'));
    await answer('');
    assert.match(
      await workbench.answerDialog('Cancel'),
      /made for DNS:cache\.example and not for "127\.0\.0\.1"\. .*servername/,
    );
    await workbench.runCommand(paletteLabel('echomq.connection.add'));
    await answer('cache.example');
    await tree.expand(['Secure', 'emails', 'Wait']);
    await tree.require(['Secure', 'emails', 'Wait', 'hello']);
    const [saved, ...others] = JSON.parse(workbench.readUserSettings())['echomq.connections'];
    assert.deepEqual(others, []);
    assert.equal(saved.url, `rediss://ann@127.0.0.1:${tlsPort}/0`);
    assert.deepEqual(saved.tls, { ...files, servername: 'cache.example' });
    assert.equal(saved.version, 2);
    assert.doesNotMatch(workbench.readUserSettings(), /correct/);
  });

  it('says which right is missing when a job is added', async () => {
    const { workbench, tree } = session;
    await tree.chooseFromMenu(['Secure', 'emails'], menuLabel('echomq.job.add'));
    for (const [text, title] of [
      ['refused', 'Job name'],
      ['{}', 'Data as JSON'],
      ['0', 'Delay'],
      ['0', 'Priority'],
      ['1', 'Attempts'],
      ['', 'Custom job id'],
    ] as const) {
      await workbench.enter(text, title);
    }
    // The question before the first write says what such a user may know.
    const question = await workbench.answerDialog('Allow Writes');
    assert.match(question, /Server: \S+ \d+\.\d+\.\d+, primary\n.*unknown \(INFO is denied\)\n.*: 1\n/);
    await workbench
      .toast(/"ann" of rediss:.*may not run EVALSHA: the ACL rule \+evalsha is missing/)
      .waitFor();
  });
});
