import assert from 'node:assert/strict';
import { describeConsent } from '../../../../src/editor/safety/describeConsent';

const connection = { prefixes: ['emq', 'bull'], isProduction: false };
const queue = (name: string) => ({ prefix: 'emq', queue: name });

describe('what is said of a server before the first write', () => {
  it('is its address, version, role, clients and queues', () => {
    const lines = describeConsent(
      connection,
      {
        ...{ address: 'redis://127.0.0.1:6379/0', product: 'Valkey', version: '8.1.0', role: 'primary' },
        ...{ mode: 'standalone', connectedClients: 12, denied: [] },
      },
      { queues: [queue('a'), queue('b')], scanned: 9, end: 'complete' },
    );
    assert.deepEqual(lines, [
      'Address: redis://127.0.0.1:6379/0',
      'Server: Valkey 8.1.0, primary',
      'Connected clients: 12',
      'Queues under emq, bull: 2',
      'A tunnel makes production look local: is this the server you mean?',
    ]);
  });

  it('says what is not known, and that a server is a replica, a node of a cluster, or production', () => {
    const text = describeConsent(
      { ...connection, isProduction: true },
      {
        ...{ address: 'redis://127.0.0.1:6379/0', role: 'replica', primaryAddress: '10.0.0.1:6379' },
        ...{ mode: 'cluster', denied: [] },
      },
      undefined,
    ).join('\n');
    assert.match(text, /^PRODUCTION/);
    assert.match(text, /Redis of unknown version, replica of 10\.0\.0\.1:6379, cluster/);
    assert.match(text, /clients: unknown \(INFO is denied\)\n.*: unknown \(SCAN is denied\)/);
  });

  it('says at least how many queues there are where not all keys were looked at', () => {
    const found = { queues: [queue('a')], scanned: 20_000, end: 'limit' } as const;
    const lines = describeConsent(connection, { address: 'redis://h:1/0', denied: [] }, found);
    assert.ok(lines.includes('Queues under emq, bull: at least 1'));
  });
});
