import assert from 'node:assert/strict';
import { InputError } from '../../../../src/base/errors';
import {
  findPrefixesProblem,
  printNodes,
  readDraft,
  readNodes,
} from '../../../../src/editor/connections/answers';

const none = { password: undefined, sentinelPassword: undefined };
const last = { prefixes: 'emq, bull:,', name: ' Cache ' } as const;
const ends = { name: 'Cache', prefixes: ['emq', 'bull'] };

describe('the answers of the form', () => {
  it('describe a server by URL, with the password apart', () => {
    assert.deepEqual(readDraft({ way: 'url', url: 'redis://ann:secret@h/3', ...last }), {
      ...{ ...ends, url: 'redis://ann@h:6379/3', secrets: { ...none, password: 'secret' } },
    });
  });

  it('describe a server step by step with a user, TLS and a client certificate', () => {
    const answers = {
      ...{ way: 'steps', host: ' [::1] ', port: '6380', database: '2', username: 'ann', password: 'secret' },
      ...{
        tls: 'custom',
        caFile: '/ca.pem',
        certFile: '~/c.pem',
        keyFile: '~/k.pem',
        servername: '',
        check: 'yes',
      },
      ...last,
    };
    assert.deepEqual(readDraft(answers), {
      ...{ ...ends, url: 'rediss://ann@[::1]:6380/2', secrets: { ...none, password: 'secret' } },
      tls: { caFile: '/ca.pem', certFile: '~/c.pem', keyFile: '~/k.pem' },
    });
  });

  it('leave the certificate unchecked only when that was chosen', () => {
    const answers = { way: 'url', url: 'rediss://h', tls: 'custom', ...last };
    assert.deepEqual(readDraft({ ...answers, check: 'no' }).tls, { rejectUnauthorized: false });
    assert.equal(readDraft({ ...answers, check: 'yes' }).tls, undefined);
    assert.equal(readDraft({ ...answers, tls: 'yes', caFile: '/left over', check: 'no' }).tls, undefined);
  });

  it('describe a socket', () => {
    const answers = { way: 'socket', socketPath: ' /run/redis.sock ', database: '1', username: '', ...last };
    assert.deepEqual(readDraft(answers), { ...ends, url: 'unix:///run/redis.sock?db=1', secrets: none });
  });

  it('describe a primary behind sentinels, by steps and by URL', () => {
    const secrets = { password: 'p', sentinelPassword: 'sp' };
    const steps = {
      ...{
        way: 'sentinel',
        sentinels: 'a:1, b',
        master: 'main',
        sentinelUsername: 'w',
        sentinelPassword: 'sp',
      },
      ...{ database: '0', username: 'ann', tls: 'no', password: 'p' },
      ...last,
    };
    const url = 'redis-sentinel://ann@a:1,b:26379/0#main';
    assert.deepEqual(readDraft(steps), { ...ends, url, sentinel: { username: 'w' }, secrets });
    const asked = { way: 'url', url, sentinelUsername: 'w', sentinelPassword: 'sp', password: 'p', ...last };
    assert.deepEqual(readDraft(asked), readDraft(steps));
    const whole = 'redis-sentinel://ann:p@a:1,b/0?sentinelUsername=w&sentinelPassword=sp#main';
    assert.deepEqual(readDraft({ way: 'url', url: whole, ...last }), readDraft(steps));
    assert.deepEqual(readDraft(steps, { tls: false }).sentinel, { tls: false, username: 'w' });
  });

  it('about sentinels and prefixes are checked', () => {
    assert.equal(printNodes(readNodes(' a:1 ,[::1],, b ')), 'a:1, [::1]:26379, b:26379');
    for (const text of ['', 'a:x', 'a:0', 'a b']) assert.throws(() => readNodes(text), InputError);
    assert.match(findPrefixesProblem(' , ') ?? '', /At least one prefix/);
    assert.equal(findPrefixesProblem('emq, {x}:y'), undefined);
  });
});
