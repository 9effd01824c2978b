import assert from 'node:assert/strict';
import { outsideNpm } from '../../support/host/codeServer';

describe('the environment of an npm that works elsewhere', () => {
  it('drops what the outer npm says about its own package, and keeps what the user says', () => {
    const kept = { PATH: '/bin', npm_config_registry: 'http://mirror.invalid', npm_config_cafile: '/ca.pem' };
    const own = { npm_package_name: 'echomq', npm_lifecycle_event: 'test', npm_config_local_prefix: '/x' };
    assert.deepEqual(outsideNpm({ ...kept, ...own, INIT_CWD: '/x', npm_command: 'run' }), kept);
  });
});
