import assert from 'node:assert/strict';
import { ConnectionError, ScriptFailure } from '../../../src/base/errors';
import {
  describeRead,
  describeScriptFailure,
  describeServerFailure,
} from '../../../src/executor/serverFailure';
import type { LoadedScript } from '../../../src/scripts/types';

const options = { host: 'cache', port: 6379, username: 'ann', password: 'secret' };
const describe_ = (message: string) =>
  describeServerFailure(new Error(message), options, describeRead(['LLEN', 'emq:mail:wait']));

const script: LoadedScript = {
  id: 'promote-9',
  keyCount: 9,
  text: "local x\nredis.call('ZREM', KEYS[1], 'a')\nreturn 0",
  sha: '0'.repeat(40),
  lines: [
    { file: 'promote-9.lua', line: 1 },
    { file: 'includes/addToList.lua', line: 7 },
    { file: 'promote-9.lua', line: 3 },
  ],
};
const failScript = (message: string) =>
  describeScriptFailure(new Error(message), options, script, 'emq:mail');

describe('an error reply of the server', () => {
  const cases: [message: string, code: string, sentence: RegExp][] = [
    [
      'WRONGPASS invalid username-password pair or user is disabled.',
      'wrongPassword',
      /refused the user name/,
    ],
    ['ERR invalid password', 'wrongPassword', /refused the password/],
    [
      'ERR AUTH <password> called without any password configured for the default user.',
      'wrongPassword',
      /needs no password/,
    ],
    ["ERR wrong number of arguments for 'auth' command", 'wrongPassword', /knows no user names/],
    ['NOAUTH Authentication required.', 'passwordNeeded', /wants a password/],
    [
      "NOPERM this user has no permissions to run the 'llen' command",
      'noPermission',
      /"ann".*may not run LLEN.*\+llen/,
    ],
    ["NOPERM User ann has no permissions to run the 'script|load' command", 'noPermission', /\+script\|load/],
    ['NOPERM this user has no permissions to run this command or its subcommand', 'noPermission', /\+llen/],
    [
      'NOPERM this user has no permissions to access one of the keys used as arguments',
      'noPermission',
      /~emq:mail:wait/,
    ],
    ['NOPERM No permissions to access a key', 'noPermission', /~emq:mail:wait/],
    ["READONLY You can't write against a read only replica.", 'readOnlyReplica', /Connect to its primary/],
    ['LOADING Redis is loading the dataset in memory', 'loading', /Try again/],
    ['BUSY Redis is busy running a script.', 'busy', /SCRIPT KILL/],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'outOfMemory', /nothing was changed/],
    ['MISCONF Redis is configured to save RDB snapshots', 'serverError', /cannot save/],
    [
      'WRONGTYPE Operation against a key holding the wrong kind of value',
      'wrongType',
      /"emq:mail:wait" does not hold a list/,
    ],
    ['NOPERM No permissions to access a channel', 'noPermission', /ACL rule &pattern/],
    [
      'NOPERM this user has no permissions to access one of the channels used as arguments',
      'noPermission',
      /ACL rule &pattern/,
    ],
    ['NOPERM No permissions to access database', 'noPermission', /ACL rule db=/],
    ['MASTERDOWN Link with MASTER is down', 'primaryDown', /lost its primary.*Connect to its primary/],
    ['MOVED 866 10.0.0.2:6379', 'cluster', /"emq:mail:wait" lies at 10\.0\.0\.2:6379\. .*not supported yet/],
    ['ASK 866 10.0.0.2:6379', 'cluster', /lies at 10\.0\.0\.2:6379/],
    [
      "CROSSSLOT Keys in request don't hash to the same slot",
      'cluster',
      /several of its slots.*not supported/,
    ],
    ['CLUSTERDOWN Hash slot not served', 'cluster', /does not work as a whole/],
    ['ERR SELECT is not allowed in cluster mode', 'cluster', /database 0 only/],
    ['DENIED Redis is running in protected mode', 'noPermission', /protected mode/],
    ['ERR DB index is out of range', 'serverError', /database .*does not exist/],
    ['ERR max number of clients reached', 'serverError', /maxclients/],
    ["ERR unknown command 'LPOS', with args", 'unknownCommand', /does not know the command LLEN/],
    ['ERR something else', 'serverError', /answered LLEN with an error: ERR something else/],
  ];
  for (const [message, code, sentence] of cases) {
    it(`"${message.slice(0, 60)}" is told as ${code}`, () => {
      const error = describe_(message);
      assert.equal(error.code, code);
      assert.match(error.message, sentence);
      assert.doesNotMatch(error.message, /secret/);
    });
  }
});

describe('an error reply to a script', () => {
  it('is mapped to the file and line it was written at', () => {
    for (const message of [
      `ERR user_script:2: boom script: ${script.sha}, on @user_script:2.`,
      `ERR Error running script (call to f_${script.sha}): @user_script:2: user_script:2: boom`,
    ]) {
      const error = failScript(message);
      assert.ok(ScriptFailure.is(error));
      assert.equal(error.file, 'includes/addToList.lua');
      assert.equal(error.line, 7);
      assert.equal(error.message, 'promote-9 failed at includes/addToList.lua:7: boom.');
    }
  });

  it('about a key of the wrong type says so', () => {
    const error = failScript(`WRONGTYPE Operation against a key script: ${script.sha}, on @user_script:3.`);
    assert.ok(ScriptFailure.is(error));
    assert.match(error.message, /at promote-9.lua:3: .*A key of the queue holds a value of the wrong type/);
  });

  it('that kept it from writing is of the connection', () => {
    const error = failScript(`OOM command not allowed script: ${script.sha}, on @user_script:2.`);
    assert.ok(ConnectionError.is(error));
    assert.equal(error.code, 'outOfMemory');
  });

  it('about a command it may not run names the rule, from the reply or from the line', () => {
    for (const message of [
      `ERR The user executing the script can't run this command or subcommand script: ${script.sha}, on @user_script:2.`,
      `ERR ACL failure in script: User ann has no permissions to run the 'zrem' command script: x, on @user_script:2.`,
    ]) {
      const error = failScript(message);
      assert.ok(ConnectionError.is(error));
      assert.equal(error.code, 'noPermission');
      assert.match(error.message, /\+zrem is missing.*stopped at includes\/addToList.lua:7/);
    }
  });
});
