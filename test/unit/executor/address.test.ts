import assert from 'node:assert/strict';
import fc from 'fast-check';
import { InputError } from '../../../src/base/errors';
import { formatAddress, formatHost, parseConnectionUrl } from '../../../src/executor/address';

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
    assert.equal(parseConnectionUrl('10.0.0.7').options.host, '10.0.0.7');
  });

  it('may name an IPv6 address', () => {
    const { options } = parseConnectionUrl('redis://[::1]:6379');
    assert.equal(options.host, '::1');
    assert.equal(formatHost(options), '[::1]:6379');
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
    for (const url of ['redis://h:1/0', 'rediss://ann@h:6380/3', 'redis://a%40b@[::1]:6379/15']) {
      assert.equal(formatAddress(parseConnectionUrl(url).options), url);
    }
    assert.equal(formatAddress({ host: 'h', port: 1 }), 'redis://h:1/0');
  });

  it('that is none is refused with a sentence that says why and holds no password', () => {
    assert.match(problemOf('http://h'), /http:\/\/ is no address of a Redis/);
    assert.match(problemOf(''), /looks like redis:\/\//);
    assert.match(problemOf('some words'), /looks like redis:\/\//);
    assert.match(problemOf('redis://'), /no host|cannot be read/);
    assert.match(problemOf('redis://h/queue'), /number of a database/);
    assert.match(problemOf('redis://h:70000'), /cannot be read/);
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
