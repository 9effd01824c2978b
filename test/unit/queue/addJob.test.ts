import assert from 'node:assert/strict';
import { decode } from '@msgpack/msgpack';
import { InputError } from '../../../src/base/errors';
import { Keys } from '../../../src/keys/keys';
import { addCall, chooseAddTransition, requireValidJob } from '../../../src/queue/addJob';

const keys = new Keys('emq', 'mail');
const plain = { name: 'send', data: '{}' };
const unpack = (argument: unknown) => {
  assert.ok(argument instanceof Uint8Array);
  return decode(argument);
};

describe('a new job', () => {
  it('that cannot be is refused with a sentence about the part that is wrong', () => {
    const cases: [job: Partial<typeof plain> & Record<string, unknown>, problem: RegExp][] = [
      [{ name: '' }, /needs a name/],
      [{ data: '{a:1}' }, /data is no JSON/],
      [{ data: '' }, /data is no JSON/],
      [{ delayMs: -1 }, /delay must be/],
      [{ delayMs: 1.5 }, /delay must be/],
      [{ delayMs: Number.NaN }, /delay must be/],
      [{ priority: 2097153 }, /priority must be a whole number from 0 to 2097152/],
      [{ attempts: -1 }, /number of attempts/],
      [{ jobId: '12' }, /whole number/],
      [{ jobId: 'a:b' }, /colon/],
    ];
    for (const [job, problem] of cases) {
      assert.throws(
        () => requireValidJob({ ...plain, ...job }),
        (error: unknown) => InputError.is(error) && problem.test(error.message),
      );
    }
    requireValidJob({ ...plain, delayMs: 0, priority: 2097152, attempts: 3, jobId: 'a' });
    requireValidJob({ ...plain, data: 'null' });
  });

  it('goes by its delay first and by its priority second', () => {
    assert.equal(chooseAddTransition(plain), 'addStandard');
    assert.equal(chooseAddTransition({ ...plain, priority: 0, delayMs: 0 }), 'addStandard');
    assert.equal(chooseAddTransition({ ...plain, priority: 1 }), 'addPrioritized');
    assert.equal(chooseAddTransition({ ...plain, priority: 1, delayMs: 1 }), 'addDelayed');
  });

  it('carries its data byte for byte and its options by their short names', () => {
    const data = '{"n": 9007199254740993, "f":1.0}';
    const call = addCall(keys, { name: 'send', data, delayMs: 5, priority: 2, jobId: 'a' }, 1700000000000);
    assert.equal(call.script, 'addDelayedJob-6');
    assert.deepEqual(unpack(call.args[0]), [
      'emq:mail:',
      'a',
      'send',
      1700000000000,
      null,
      null,
      null,
      null,
      null,
    ]);
    assert.equal(call.args[1], data);
    assert.deepEqual(unpack(call.args[2]), { attempts: 0, delay: 5, priority: 2, jobId: 'a' });
  });

  it('has only the number of attempts among its options when nothing is given', () => {
    const call = addCall(keys, plain, 1);
    assert.equal(call.script, 'addStandardJob-9');
    assert.deepEqual(unpack(call.args[2]), { attempts: 0 });
    assert.equal(call.keys.length, 9);
  });

  it('names as many keys as the script it goes to', () => {
    for (const job of [plain, { ...plain, priority: 1 }, { ...plain, delayMs: 1 }]) {
      const call = addCall(keys, job, 1);
      assert.equal(call.keys.length, Number(call.script.split('-').at(-1)));
      assert.equal(new Set(call.keys).size, call.keys.length);
    }
  });
});
