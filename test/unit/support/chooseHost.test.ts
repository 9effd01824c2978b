import assert from 'node:assert/strict';
import { chooseHost, type Machine } from '../../support/host/chooseHost';

const machine = (own: Partial<Machine>): Machine => ({
  platform: 'linux',
  environment: {},
  download: async () => {},
  ...own,
});

describe('the choice of the VS Code to test in', () => {
  it('is the server build on Linux without a display, and downloads nothing', async () => {
    const download = async () => assert.fail('it downloaded');
    assert.equal(await chooseHost(machine({ download })), 'code-server');
  });

  it('is a desktop where there is a display and the download works', async () => {
    assert.equal(await chooseHost(machine({ environment: { DISPLAY: ':0' } })), 'desktop');
    assert.equal(await chooseHost(machine({ platform: 'darwin' })), 'desktop');
  });

  it('falls back to the server build where the download fails', async () => {
    const download = async () => {
      throw new Error('no route to host');
    };
    assert.equal(await chooseHost(machine({ platform: 'darwin', download })), 'code-server');
  });

  it('obeys ECHOMQ_TEST_HOST and refuses a name it does not know', async () => {
    const named = (name: string) => machine({ environment: { DISPLAY: ':0', ECHOMQ_TEST_HOST: name } });
    assert.equal(await chooseHost(named('code-server')), 'code-server');
    assert.equal(await chooseHost(named('desktop')), 'desktop');
    await assert.rejects(chooseHost(named('web')), /"desktop" or "code-server"/);
  });
});
