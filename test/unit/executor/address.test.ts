import assert from 'node:assert/strict';
import fc from 'fast-check';
import { InputError } from '../../../src/base/errors';
import { formatAddress, formatPlace } from '../../../src/executor/address';
import { parseConnectionUrl } from '../../../src/executor/connectionUrl';

const problemOf = (url: string): string => {
  try {
    parseConnectionUrl(url);
  } catch (error) {
    assert.ok(InputError.is(error));
    return error.message;
  }
  throw new Error(`${url} was read`);
};

const texts = fc.string({ unit: 'grapheme', minLength: 1 });

describe('the URL of a connection', () => {
  it('gives host, port, database and TLS, and the password apart', () => {
    assert.deepEqual(parseConnectionUrl('rediss://ann:secret@cache.example:6380/3'), {
      options: { host: 'cache.example', port: 6380, username: 'ann', database: 3, tls: true },
      password: 'secret',
    });
    assert.deepEqual(parseConnectionUrl(' redis://localhost '), {
      options: { host: 'localhost', port: 6379, database: 0, tls: false },
    });
    assert.equal(parseConnectionUrl('redis://:only@h').password, 'only');
  });

  it('may be a bare host with or without a port', () => {
    assert.deepEqual(parseConnectionUrl('localhost:7000').options, {
      host: 'localhost',
      port: 7000,
      database: 0,
      tls: false,
    });
    assert.equal(formatPlace(parseConnectionUrl('10.0.0.7').options), '10.0.0.7:6379');
  });

  it('may name an IPv6 address', () => {
    const { options } = parseConnectionUrl('redis://[::1]:6379');
    assert.deepEqual(options, { host: '::1', port: 6379, database: 0, tls: false });
    assert.equal(formatPlace(options), '[::1]:6379');
  });

  it('takes any user name and password when they are percent-encoded', () => {
    fc.assert(
      fc.property(texts, texts, (username, password) => {
        const user = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`;
        const parsed = parseConnectionUrl(`redis://${user}@h:1/2`);
        assert.equal(parsed.options.username, username);
        assert.equal(parsed.password, password);
      }),
    );
  });

  it('is printed without the password and read back to the same server', () => {
    for (const url of [
      'redis://h:1/0',
      'rediss://ann@h:6380/3',
      'redis://a%40b@[::1]:6379/15',
      'unix:///run/redis.sock',
      'unix://ann@/run/a%20b%23%3F%40.sock?db=3',
      'redis-sentinel://h:26379,[::1]:1/0#mymaster',
      'rediss-sentinel://ann@h:26379/2#my%20master',
    ]) {
      assert.equal(formatAddress(parseConnectionUrl(url).options), url);
    }
    assert.equal(formatAddress({ host: 'h', port: 1 }), 'redis://h:1/0');
  });

  it('of sentinels names them and the primary, with their password apart', () => {
    const url =
      'rediss-sentinel://ann:pa@a,b:5000,[::1]/2?sentinelUsername=watch&sentinelPassword=pb&sentinelTls=false#main';
    assert.deepEqual(parseConnectionUrl(url), {
      options: {
        sentinel: {
          master: 'main',
          nodes: [
            { host: 'a', port: 26379 },
            { host: 'b', port: 5000 },
            { host: '::1', port: 26379 },
          ],
          username: 'watch',
          tls: false,
        },
        username: 'ann',
        database: 2,
        tls: true,
      },
      password: 'pa',
      sentinelPassword: 'pb',
    });
    assert.match(problemOf('redis-sentinel://a:1'), /does not name the primary/);
    assert.match(problemOf('redis-sentinel://#main'), /No sentinel is named/);
  });

  it('of a socket names its path', () => {
    assert.deepEqual(parseConnectionUrl('unix://:secret@/run/a%20b.sock?db=3'), {
      options: { socketPath: '/run/a b.sock', database: 3, tls: false },
      password: 'secret',
    });
    for (const url of ['unix://run/redis.sock', 'unix:///', 'unix:///a.sock#x']) {
      assert.match(problemOf(url), /full path/);
    }
    assert.match(problemOf('unix:///a.sock?db=x'), /number of a database/);
  });

  it('may hold the options of TLS, where TLS is used', () => {
    const url = 'rediss://h?caFile=/a/b%20c.pem&certFile=c&keyFile=k&servername=n&rejectUnauthorized=false';
    assert.deepEqual(parseConnectionUrl(url).options.tls, {
      caFile: '/a/b c.pem',
      certFile: 'c',
      keyFile: 'k',
      servername: 'n',
      rejectUnauthorized: false,
    });
    assert.equal(parseConnectionUrl('rediss://h?').options.tls, true);
    assert.match(problemOf('rediss://h?rejectUnauthorized=0'), /must be true or false/);
    assert.match(problemOf('rediss://h?ssl=1'), /not understood: known are caFile/);
    assert.match(problemOf('redis://h?caFile=/a'), /none are here without TLS/);
  });

  it('that is none is refused with a sentence that says why and holds no password', () => {
    assert.match(problemOf('http://h'), /http:\/\/ is no address of a Redis/);
    assert.match(problemOf(''), /looks like redis:\/\//);
    assert.match(problemOf('some words'), /looks like redis:\/\//);
    assert.match(problemOf('redis://'), /no host|cannot be read/);
    assert.match(problemOf('redis://h/queue'), /number of a database/);
    assert.match(problemOf('redis://h:70000'), /between 1 and 65535/);
    assert.match(problemOf('redis://h:0'), /between 1 and 65535/);
    assert.match(problemOf('redis://h?ssl=1'), /options after a \?/);
    for (const url of [
      'redis://u:sec#ret@h',
      'redis://u:sec/ret@h',
      'redis://u:secret%@h',
      'redis://u:sec?ret@h',
    ]) {
      const problem = problemOf(url);
      assert.match(problem, /percent-encoded/);
      assert.doesNotMatch(problem, /sec/);
    }
  });
});
