import assert from 'node:assert/strict';
import { parseConnectionUrl } from '../../../src/executor/connectionUrl';
import { isOnThisMachine } from '../../../src/executor/loopback';

const isLocal = (url: string) => isOnThisMachine(parseConnectionUrl(url).options);

describe('whether a connection ends on this machine', () => {
  for (const url of [
    'redis://localhost:6379',
    'redis://LocalHost',
    'rediss://user@127.0.0.1:6380/3',
    'redis://127.255.255.254',
    'redis://[::1]:6379',
    'redis://[0:0:0:0:0:0:0:1]:6379',
    'redis://[::ffff:127.0.0.1]:6379',
    'unix:///run/redis.sock',
  ]) {
    it(`is so for ${url}`, () => assert.equal(isLocal(url), true));
  }

  for (const url of [
    'redis://redis:6379',
    'redis://10.0.0.7',
    'redis://128.0.0.1',
    'redis://0.0.0.0',
    'redis://127.0.0.1.example.com',
    'redis://localhost.example.com',
    'redis://localhost.',
    'redis://127.0.0.1@example.com',
    'redis://[::2]:6379',
    'redis://[2001:db8::1]:6379',
    'redis://[1::1]:6379',
    'redis://[::ffff:10.0.0.1]:6379',
    // The sentinels say where the primary is.
    'redis-sentinel://127.0.0.1:26379/0#main',
  ]) {
    it(`is not so for ${url}`, () => assert.equal(isLocal(url), false));
  }
});
