import assert from 'node:assert/strict';
import {
  describePlace,
  hasPassword,
  identify,
  isUsable,
  RECORD_VERSION,
  readEntry,
  toOptions,
  writeEntry,
} from '../../../../src/editor/connections/record';
import type { StoredConnection } from '../../../../src/editor/contributions';

const none = { password: undefined, sentinelPassword: undefined };
const entry = (more: object): StoredConnection => ({ name: 'Cache', url: 'redis://h:1/0', ...more });

const idOf = (entry: unknown) => identify([entry])[0] ?? assert.fail('no entry');
const readOne = (entry: StoredConnection) => readEntry(entry, idOf(entry));

describe('a stored connection', () => {
  it('is read from any version, with defaults', () => {
    assert.deepEqual(readOne(entry({ id: 'a' })), {
      ...{ id: 'a', name: 'Cache', url: 'redis://h:1/0', prefixes: ['emq', 'bull'] },
    });
    const newer = { id: 'a', version: 9, tls: { caFile: '/ca.pem', cipher: 'x' }, hue: 3 };
    assert.deepEqual(readOne(entry(newer)).tls, { caFile: '/ca.pem' });
  });

  it('written by hand without an id has the same one every time', () => {
    assert.equal(idOf(entry({})), idOf(entry({ url: 'redis://other' })));
    assert.notEqual(idOf(entry({})), idOf(entry({ name: 'Other' })));
  });

  it('without a name or a URL is none', () => {
    for (const value of [null, 'x', [], {}, { name: 'a' }, { name: 1, url: 'redis://h' }]) {
      assert.ok(!isUsable(value));
    }
  });

  it('is as if fields of the wrong type were not there, and checks certificates unless told exactly not to', () => {
    const odd = readOne(
      entry({
        ...{
          id: 'a',
          prefixes: 'emq',
          sentinel: [],
          tls: { caFile: 7, keyFile: '', rejectUnauthorized: 'no' },
        },
      }),
    );
    assert.deepEqual([odd.tls, odd.sentinel, odd.prefixes], [undefined, undefined, ['emq', 'bull']]);
    for (const value of [0, 'false', null]) {
      assert.equal(readOne(entry({ tls: { rejectUnauthorized: value } })).tls, undefined);
    }
    const unchecked = readOne(entry({ tls: { rejectUnauthorized: false } }));
    assert.deepEqual(unchecked.tls, { rejectUnauthorized: false });
  });

  it('may say in the URL what its fields say, and the fields win', () => {
    const url = 'rediss://h:1/0?caFile=/url.pem&servername=cache';
    const { tls } = readOne(entry({ url, tls: { caFile: '/field.pem' } }));
    assert.deepEqual(tls, { caFile: '/field.pem', servername: 'cache' });
  });
});

describe('where a password was given for', () => {
  const place = { url: 'rediss://ann@one:6379/1', tls: { servername: 'one' } };

  it('is the server and the user, whatever the name, the database or a password in the URL', () => {
    for (const url of ['rediss://ann@one:6379', 'rediss://ann:secret@one:6379/7']) {
      assert.equal(describePlace({ ...place, url }), describePlace(place), url);
    }
  });

  it('is another for another host, port, user or socket, without TLS, and with certificates unchecked', () => {
    const urls = [
      'rediss://ann@two:6379',
      'rediss://ann@one:6380',
      'rediss://bob@one:6379',
      'redis://ann@one:6379',
    ];
    for (const url of urls) assert.notEqual(describePlace({ ...place, url }), describePlace(place), url);
    const unchecked = { ...place, tls: { ...place.tls, rejectUnauthorized: false } };
    assert.notEqual(describePlace(unchecked), describePlace(place));
    assert.notEqual(describePlace({ url: 'unix:///a.sock' }), describePlace({ url: 'unix:///b.sock' }));
  });
});

describe('entries of one name', () => {
  it('are connections of their own, and editing one leaves the other', () => {
    const first = entry({ name: 'Same', url: 'redis://one' });
    const second = entry({ name: 'Same', url: 'redis://two' });
    const [a, b] = identify([first, second]);
    assert.ok(a && b && a !== b);
    const written = writeEntry([first, second], { ...readEntry(second, b), url: 'redis://three' });
    assert.deepEqual(
      written.map(({ id, url }) => [id, url]),
      [
        [a, 'redis://one'],
        [b, 'redis://three'],
      ],
    );
  });
});

describe('writing the list of connections', () => {
  const connection = { id: 'a', name: 'New', url: 'redis://n:1/0', prefixes: ['emq'] };

  it('adds an entry in the current form', () => {
    assert.deepEqual(writeEntry([], connection), [{ version: RECORD_VERSION, ...connection }]);
  });

  it('upgrades entries of the first form: a derived id is written down, so that a new name keeps the password', () => {
    const old = entry({});
    const [first] = writeEntry([old], connection);
    assert.deepEqual(first, { ...old, version: RECORD_VERSION, id: idOf(old) });
    const [renamed] = writeEntry([old], { ...connection, id: idOf(old), name: 'Renamed' });
    assert.deepEqual([renamed?.id, renamed?.name], [idOf(old), 'Renamed']);
  });

  it('keeps what it does not know, of the entry that is edited and of all others', () => {
    const newer = entry({
      ...{ version: 9, id: 'a', colour: 'red', sentinel: { quorum: 2, username: 'old' } },
      tls: { caFile: '/old.pem', cipher: 'x' },
    });
    const other = entry({ version: 9, id: 'b', tls: { pin: 'y' } });
    const tls = { certFile: '/c.pem', keyFile: '/k.pem' };
    const [edited, untouched, damaged] = writeEntry([newer, other, 'no entry'], { ...connection, tls });
    assert.deepEqual(edited, {
      ...{ ...connection, version: 9, colour: 'red' },
      tls: { ...tls, cipher: 'x' },
      sentinel: { quorum: 2 },
    });
    assert.deepEqual([untouched, damaged], [other, 'no entry']);
  });

  it('forgets fields that were taken away', () => {
    const before = entry({ id: 'a', tls: { caFile: '/old.pem' }, sentinel: { username: 'old' } });
    assert.deepEqual(writeEntry([before], connection), [{ version: RECORD_VERSION, ...connection }]);
  });
});

describe('the options of a stored connection', () => {
  it('take the passwords from the secret storage, or else from the URL', () => {
    assert.deepEqual(toOptions({ url: 'redis://:inUrl@h' }, none), {
      ...{ host: 'h', port: 6379, database: 0, tls: false, password: 'inUrl' },
    });
    const secrets = { password: 'kept', sentinelPassword: 'watching' };
    assert.deepEqual(
      toOptions({ url: 'redis-sentinel://:inUrl@h/1#m', sentinel: { username: 'w', tls: true } }, secrets),
      {
        ...{ database: 1, tls: false, password: 'kept' },
        sentinel: {
          ...{
            master: 'm',
            nodes: [{ host: 'h', port: 26379 }],
            username: 'w',
            tls: true,
            password: 'watching',
          },
        },
      },
    );
  });

  it('use the files of TLS only where the URL asks for TLS', () => {
    const tls = { caFile: '/ca.pem' };
    assert.deepEqual(toOptions({ url: 'rediss://h', tls }, none).tls, tls);
    assert.equal(toOptions({ url: 'rediss://h' }, none).tls, true);
    assert.equal(toOptions({ url: 'redis://h', tls }, none).tls, false);
  });

  it('tell where a URL holds a password', () => {
    for (const url of ['redis://u:p@h', 'unix://:p@/s', 'redis-sentinel://h?sentinelPassword=p#m']) {
      assert.ok(hasPassword(url), url);
    }
    for (const url of ['redis://u@h', 'no URL', 'redis-sentinel://h#m']) assert.ok(!hasPassword(url), url);
  });
});
