import assert from 'node:assert/strict';
import { LockedError, WriteLocks } from '../../../../src/editor/platform/writeLocks';

const local = { id: 'l', name: 'Local', url: 'redis://127.0.0.1:6379/0', isReadOnly: false };
const remote = { id: 'r', name: 'Staging', url: 'redis://staging.example:6379/0', isReadOnly: false };
const yes = async () => true;
const never = () => assert.fail('nobody is to be asked');

describe('the locks on writes', () => {
  it('open a server of this machine after one question, which several writes share', async () => {
    const locks = new WriteLocks(() => true);
    assert.equal(locks.findLock(local), undefined);
    let asked = 0;
    let answer: (isAllowed: boolean) => void = () => {};
    const ask = () => {
      asked += 1;
      return new Promise<boolean>((resolve) => {
        answer = resolve;
      });
    };
    const writes = [1, 2, 3].map(() => locks.admit(local, ask));
    answer(true);
    assert.deepEqual(await Promise.all(writes), [true, true, true]);
    assert.equal(asked, 1);
    assert.equal(await locks.admit(local, never), true);
  });

  it('ask again after a no', async () => {
    const locks = new WriteLocks(() => true);
    assert.equal(await locks.admit(local, async () => false), false);
    assert.equal(await locks.admit(local, yes), true);
  });

  it('ask again when the question could not be asked', async () => {
    const locks = new WriteLocks(() => true);
    await assert.rejects(
      locks.admit(local, async () => {
        throw new Error('no answer');
      }),
      /no answer/,
    );
    assert.equal(await locks.admit(local, yes), true);
  });

  it('ask for each address: a connection that leads elsewhere is another', async () => {
    const locks = new WriteLocks(() => true);
    await locks.admit(local, yes);
    let asked = 0;
    await locks.admit({ ...local, url: 'redis://127.0.0.1:6380/0' }, async () => {
      asked += 1;
      return true;
    });
    assert.equal(asked, 1);
  });

  it('keep a server off this machine read-only until writes are allowed, for that address', async () => {
    const locks = new WriteLocks(() => true);
    assert.equal(locks.findLock(remote), 'remote');
    await assert.rejects(locks.admit(remote, never), (error: LockedError) => {
      assert.ok(LockedError.isLocked(error));
      assert.deepEqual([error.code, error.lock, error.connectionId], ['readOnly', 'remote', 'r']);
      assert.match(error.message, /"Staging" is read-only .* Nothing was sent\.$/);
      return true;
    });
    assert.equal(await locks.allow(remote, async () => false), false);
    assert.equal(locks.findLock(remote), 'remote');
    assert.equal(await locks.allow(remote, yes), true);
    assert.equal(locks.findLock(remote), undefined);
    // Allowing writes is consent: the first write asks no second time.
    assert.equal(await locks.admit(remote, never), true);
    assert.equal(locks.findLock({ ...remote, url: 'redis://production.example:6379/0' }), 'remote');
  });

  it('keep a connection read-only whose settings say so, whatever the user says in a window', async () => {
    const locks = new WriteLocks(() => true);
    const fixed = { ...local, isReadOnly: true };
    await assert.rejects(locks.admit(fixed, never), LockedError);
    await assert.rejects(locks.allow(fixed, never), /setting readOnly/);
    await locks.allow(local, yes);
    assert.equal(locks.findLock(fixed), 'setting');
  });

  it('keep every connection read-only while the workspace is not trusted', async () => {
    let isTrusted = false;
    const locks = new WriteLocks(() => isTrusted);
    await assert.rejects(locks.admit(local, never), /not trusted/);
    await assert.rejects(locks.allow(local, never), LockedError);
    isTrusted = true;
    assert.equal(await locks.admit(local, yes), true);
  });

  it('can be set for a window and lifted again', async () => {
    const locks = new WriteLocks(() => true);
    await locks.admit(local, yes);
    let changes = 0;
    locks.onDidChange(() => {
      changes += 1;
    });
    locks.block(local);
    assert.equal(locks.findLock(local), 'blocked');
    await assert.rejects(locks.admit(local, never), LockedError);
    assert.equal(await locks.allow(local, yes), true);
    assert.equal(locks.findLock(local), undefined);
    assert.equal(changes, 2);
  });

  it('let no write through that waited for the answer while writes were blocked', async () => {
    const locks = new WriteLocks(() => true);
    let answer: (isAllowed: boolean) => void = () => {};
    const write = locks.admit(
      local,
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    locks.block(local);
    answer(true);
    await assert.rejects(write, LockedError);
    assert.equal(locks.findLock(local), 'blocked');
  });

  it('take an address that cannot be read for one off this machine', () => {
    assert.equal(new WriteLocks(() => true).findLock({ ...local, url: 'http://localhost' }), 'remote');
  });
});
