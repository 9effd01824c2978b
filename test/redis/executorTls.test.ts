import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createExecutor } from '../../src/executor/executor';
import type { ConnectionOptions, TlsOptions } from '../../src/executor/options';
import { type Authority, type CertificateFiles, makeAuthority, runOpenssl } from '../support/certificates';
import { findFreePort, type RedisServer, startRedis } from '../support/redisServer';
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary';
import { assertFailure, failToRead } from './support/failToRead';
import { library } from './support/stage';

/** A Redis that speaks TLS on a port of its own beside the plain one. */
interface SecureRedis {
  readonly redis: RedisServer;
  readonly port: number;
}

async function startSecure(
  authority: Authority,
  { certFile, keyFile }: CertificateFiles,
  wantsClientCertificate = false,
): Promise<SecureRedis> {
  let port = 0;
  const files = [
    '--tls-cert-file',
    certFile,
    '--tls-key-file',
    keyFile,
    '--tls-ca-cert-file',
    authority.caFile,
  ];
  const auth = ['--tls-auth-clients', wantsClientCertificate ? 'yes' : 'no'];
  const redis = await startRedis(async () => {
    port = await findFreePort();
    return ['--tls-port', `${port}`, ...files, ...auth];
  });
  return { redis, port };
}

describe('TLS', () => {
  let folder: TemporaryFolder;
  let authority: Authority;
  let other: Authority;
  let client: CertificateFiles;
  let stranger: CertificateFiles;
  const servers: Record<string, SecureRedis> = {};
  before(async () => {
    folder = makeTemporaryFolder('tls');
    authority = makeAuthority(folder.path, 'ours');
    other = makeAuthority(folder.path, 'theirs');
    client = authority.issue('client');
    stranger = other.issue('stranger');
    servers.plain = await startSecure(authority, authority.issue('server'));
    servers.mutual = await startSecure(authority, authority.issue('mutual'), true);
    servers.expired = await startSecure(authority, authority.issue('expired', { days: -1 }));
    servers.renamed = await startSecure(
      authority,
      authority.issue('renamed', { names: 'DNS:cache.example' }),
    );
  });
  after(async () => {
    for (const { redis } of Object.values(servers)) await redis.stop();
    folder.remove();
  });

  const at = (name: string, tls: true | TlsOptions, host = '127.0.0.1'): ConnectionOptions => ({
    host,
    port: servers[name]?.port ?? 0,
    tls,
  });
  const trusted = () => ({ caFile: authority.caFile });
  async function works(options: ConnectionOptions): Promise<void> {
    const executor = createExecutor(options, library);
    try {
      assert.deepEqual(await executor.read([['PING']]), [{ value: 'PONG' }]);
    } finally {
      await executor.close();
    }
  }

  it('works with an authority of one’s own, by name and by address', async () => {
    await works(at('plain', trusted()));
    await works(at('plain', trusted(), 'localhost'));
  });

  it('works with a client certificate', () => works(at('mutual', { ...trusted(), ...client })));

  it('works with the name that the certificate holds given as servername', () =>
    works(at('renamed', { ...trusted(), servername: 'cache.example' })));

  it('works with any certificate only where that was asked for', async () => {
    await works(at('expired', { rejectUnauthorized: false }));
    await works(at('renamed', { rejectUnauthorized: false }));
  });

  it('is refused for an authority that is not known, and says how to name it', async () => {
    const machine = await failToRead(at('plain', true));
    assertFailure(
      machine,
      'tls',
      /not signed by an authority this machine trusts .*Give the PEM file .* as caFile/,
    );
    const wrong = await failToRead(at('plain', { caFile: other.caFile }));
    assertFailure(wrong, 'tls', /not signed by the authority in .*theirs\.ca\.pem/);
  });

  it('is refused for a certificate that has expired', async () => {
    assertFailure(
      await failToRead(at('expired', trusted())),
      'tls',
      /has expired\. The server needs a new one/,
    );
  });

  it('is refused for a certificate of another host, and names both', async () => {
    const error = await failToRead(at('renamed', trusted(), 'localhost'));
    assertFailure(error, 'tls', /made for DNS:cache\.example and not for "localhost"\. .* as servername/);
  });

  it('says that the server wants a client certificate, or refuses the one it got', async () => {
    // The alert that says so can be overtaken by the end of the connection.
    const without = await failToRead(at('mutual', trusted()));
    assert.match(without.message, /wants a client certificate/);
    const foreign = await failToRead(at('mutual', { ...trusted(), ...stranger }));
    assert.match(foreign.message, /(refused|accepts) the client certificate/);
  });

  it('says that a plain port does not use TLS, at once or after the time to connect', async () => {
    const error = await failToRead({
      ...{ host: '127.0.0.1', port: servers.plain?.redis.port ?? 0, tls: trusted(), connectTimeoutMs: 500 },
    });
    assert.ok(error.code === 'tls' || error.code === 'timeout' || error.code === 'closed', error.code);
    assert.match(error.message, /TLS/);
  });

  it('is offered where a port that speaks it is spoken to without', async () => {
    const error = await failToRead({ host: '127.0.0.1', port: servers.plain?.port ?? 0 });
    assert.match(error.message, /expects TLS/);
  });

  it('names the file that is missing, is no PEM, is encrypted or belongs to another certificate', async () => {
    const missing = join(folder.path, 'none.pem');
    const failWith = (tls: TlsOptions) => failToRead(at('mutual', { ...trusted(), ...tls }));
    assertFailure(
      await failWith({ caFile: missing }),
      'tls',
      /file of the authority \(caFile\), .*none\.pem, does not exist/,
    );
    const text = join(folder.path, 'text.pem');
    writeFileSync(text, 'hello');
    assertFailure(
      await failWith({ ...client, certFile: text }),
      'tls',
      /\(certFile\), .*text\.pem, is no PEM file/,
    );
    assertFailure(
      await failWith({ ...client, keyFile: stranger.keyFile }),
      'tls',
      /\(keyFile\), .*does not belong to the client certificate/,
    );
    const encrypted = join(folder.path, 'encrypted.key');
    runOpenssl(['pkcs8', '-topk8', '-in', client.keyFile, '-out', encrypted, '-passout', 'pass:secret']);
    assertFailure(await failWith({ ...client, keyFile: encrypted }), 'tls', /encrypted\.key, is encrypted/);
  });
});
