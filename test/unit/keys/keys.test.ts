import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  ANY_META_PATTERN,
  findPrefixProblem,
  findQueueNameProblem,
  JOB_SUBKEYS,
  Keys,
  metaPattern,
  parseJobKey,
  parseKey,
  parseMetaKey,
} from '../../../src/keys/keys';
import { STATES } from '../../../src/keys/states';

/** Prefixes as people have them: colons, hash tags, glob characters, anything else. */
const prefixes = fc.oneof(
  fc.constantFrom('emq', 'bull', 'emq:eu', '{emq}', 'a:b:c', '[a]*?', '^x\\', 'emq:', '{a:b}'),
  fc.string({ minLength: 1, maxLength: 12 }),
);
const queues = fc.oneof(
  fc.constantFrom('mail', '{mail}', 'a*b', 'é'),
  fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !text.includes(':')),
);
/** Ids that are no queue suffix, and that end like no key below a job. */
const jobIds = fc
  .oneof(
    fc.integer({ min: 1 }).map(String),
    fc.uuid(),
    fc.constantFrom('a/b?c#d%', 'repeat:s:1700000000000', 'a:b:c'),
  )
  .filter((id) => id !== '');

/** All keys of a queue that take no further name, with the ending each must have. */
const plainKeys = (k: Keys): [key: string, suffix: string][] => [
  [k.id(), 'id'],
  [k.wait(), 'wait'],
  [k.paused(), 'paused'],
  [k.active(), 'active'],
  [k.prioritized(), 'prioritized'],
  [k.priorityCounter(), 'pc'],
  [k.delayed(), 'delayed'],
  [k.waitingChildren(), 'waiting-children'],
  [k.completed(), 'completed'],
  [k.failed(), 'failed'],
  [k.stalled(), 'stalled'],
  [k.stalledCheck(), 'stalled-check'],
  [k.limiter(), 'limiter'],
  [k.marker(), 'marker'],
  [k.meta(), 'meta'],
  [k.events(), 'events'],
  [k.repeat(), 'repeat'],
  [k.metrics('completed'), 'metrics:completed'],
  [k.metrics('failed'), 'metrics:failed'],
  [k.metricsData('completed'), 'metrics:completed:data'],
  [k.metricsData('failed'), 'metrics:failed:data'],
];

/** The pattern as Redis matches it, for the forms that our patterns have. */
function matches(pattern: string, text: string): boolean {
  const source = pattern.replace(/\\(.)|\*|[^*\\]+/gs, (whole, escaped: string | undefined) => {
    if (whole === '*') return '.*';
    return (escaped ?? whole).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 's').test(text);
}

describe('keys', () => {
  it('are the prefix, the queue and the ending, joined by colons', () => {
    const k = new Keys('emq', 'mail');
    assert.equal(k.wait(), 'emq:mail:wait');
    assert.equal(k.base, 'emq:mail:');
    assert.equal(k.queueKey, 'emq:mail');
    assert.equal(k.job('7'), 'emq:mail:7');
    assert.equal(k.lock('7'), 'emq:mail:7:lock');
    assert.equal(k.scheduler('s'), 'emq:mail:repeat:s');
  });

  it('of a queue are read back as what they were built from, whatever the prefix', () => {
    fc.assert(
      fc.property(prefixes, queues, (prefix, queue) => {
        for (const [key, suffix] of plainKeys(new Keys(prefix, queue))) {
          assert.equal(key, `${prefix}:${queue}:${suffix}`);
          assert.deepEqual(parseKey(prefix, key), { kind: 'queue', queue, suffix });
        }
      }),
    );
  });

  it('of a job and below it are read back as what they were built from', () => {
    fc.assert(
      fc.property(prefixes, queues, jobIds, (prefix, queue, jobId) => {
        const k = new Keys(prefix, queue);
        assert.deepEqual(parseKey(prefix, k.job(jobId)), { kind: 'job', queue, jobId });
        assert.deepEqual(parseJobKey(prefix, k.job(jobId)), { queue, jobId });
        const below = [
          k.lock(jobId),
          k.logs(jobId),
          k.dependencies(jobId),
          k.processed(jobId),
          k.childFailures(jobId),
          k.unsuccessful(jobId),
        ];
        for (const [i, key] of below.entries()) {
          assert.deepEqual(parseKey(prefix, key), { kind: 'job', queue, jobId, subkey: JOB_SUBKEYS[i] });
        }
      }),
    );
  });

  it('of deduplication and schedulers are read back as what they were built from', () => {
    fc.assert(
      fc.property(prefixes, queues, fc.uuid(), (prefix, queue, name) => {
        const k = new Keys(prefix, queue);
        assert.deepEqual(parseKey(prefix, k.deduplication(name)), {
          kind: 'deduplication',
          queue,
          deduplicationId: name,
        });
        assert.deepEqual(parseKey(prefix, k.deduplicationNext(name)), {
          kind: 'deduplicationNext',
          queue,
          deduplicationId: name,
        });
        assert.deepEqual(parseKey(prefix, k.scheduler(name)), {
          kind: 'scheduler',
          queue,
          schedulerId: name,
        });
      }),
    );
  });

  it('that are parsed can be built again to the same text', () => {
    fc.assert(
      fc.property(prefixes, fc.string({ maxLength: 30 }), (prefix, rest) => {
        const key = `${prefix}:${rest}`;
        const parsed = parseKey(prefix, key);
        if (!parsed) return;
        const k = new Keys(prefix, parsed.queue);
        switch (parsed.kind) {
          case 'queue':
            return assert.equal(`${k.base}${parsed.suffix}`, key);
          case 'deduplication':
            return assert.equal(k.deduplication(parsed.deduplicationId), key);
          case 'deduplicationNext':
            return assert.equal(k.deduplicationNext(parsed.deduplicationId), key);
          case 'scheduler':
            return assert.equal(k.scheduler(parsed.schedulerId), key);
          case 'job':
            return assert.equal(`${k.job(parsed.jobId)}${parsed.subkey ? `:${parsed.subkey}` : ''}`, key);
        }
      }),
    );
  });

  it('of another prefix, of no queue, and of a relay are not read', () => {
    assert.equal(parseKey('emq', 'bull:mail:wait'), undefined);
    assert.equal(parseKey('emq', 'emqx:mail:wait'), undefined);
    assert.equal(parseKey('emq', 'emq:mail'), undefined);
    assert.equal(parseKey('emq', 'emq:mail:'), undefined);
    assert.equal(parseKey('emq', 'emq::relay'), undefined);
    assert.equal(parseJobKey('emq', 'bull:mail:7'), undefined);
    assert.equal(parseJobKey('emq', 'emq:mail:'), undefined);
  });

  it('of a state are those of the table, each built by the function the table names', () => {
    const k = new Keys('emq', 'mail');
    for (const { state, keyFunction } of STATES) assert.equal(k.state(state), k[keyFunction]());
  });

  it('of a recovery lie in the slot of the queue and equal no key of the protocol', () => {
    const k = new Keys('{emq}', 'mail');
    for (const key of [k.recoverySet('u'), k.recoveryThrottle('u')]) {
      assert.ok(key.startsWith(k.base));
      assert.ok(!plainKeys(k).some(([plain]) => plain === key));
    }
  });

  it('are not built for a queue or a prefix that cannot be', () => {
    assert.throws(() => new Keys('emq', ''), RangeError);
    assert.throws(() => new Keys('emq', 'a:b'), /colon/);
    assert.throws(() => new Keys('', 'a'), RangeError);
    assert.match(findQueueNameProblem('a:b') ?? '', /colon/);
    assert.match(findPrefixProblem('') ?? '', /empty/);
    assert.equal(findQueueNameProblem('a'), undefined);
    assert.equal(findPrefixProblem('a:b'), undefined);
  });
});

describe('the pattern for meta hashes', () => {
  it('matches the meta hash of every queue of its prefix', () => {
    fc.assert(
      fc.property(prefixes, queues, (prefix, queue) => {
        const key = new Keys(prefix, queue).meta();
        assert.ok(matches(metaPattern(prefix), key));
        assert.ok(matches(ANY_META_PATTERN, key));
      }),
    );
  });

  it('takes the glob characters of a prefix literally', () => {
    assert.equal(metaPattern('[a]*?'), '\\[a\\]\\*\\?:*:meta');
    assert.ok(!matches(metaPattern('[a]*?'), 'abc:mail:meta'));
    assert.ok(!matches(metaPattern('[a]*?'), 'a:mail:meta'));
  });

  it('is sorted out to one queue under one prefix, also where one prefix contains another', () => {
    for (const order of [
      ['emq', 'emq:eu'],
      ['emq:eu', 'emq'],
    ]) {
      assert.deepEqual(parseMetaKey(order, 'emq:eu:mail:meta'), { prefix: 'emq:eu', queue: 'mail' });
      assert.deepEqual(parseMetaKey(order, 'emq:eu:meta'), { prefix: 'emq', queue: 'eu' });
    }
    assert.equal(parseMetaKey(['emq'], 'emq:eu:mail:meta'), undefined);
    assert.equal(parseMetaKey(['emq'], 'emq:mail:wait'), undefined);
  });

  it('announces a queue under exactly one of any prefixes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(prefixes, { minLength: 1, maxLength: 4 }), queues, (all, queue) => {
        for (const prefix of all) {
          const found = parseMetaKey(all, new Keys(prefix, queue).meta());
          assert.deepEqual(found, { prefix, queue });
        }
      }),
    );
  });
});
