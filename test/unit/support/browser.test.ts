import assert from 'node:assert/strict';
import { type BrowserSearch, requireBrowser } from '../../support/host/browser';

const bare: BrowserSearch = { onPath: () => undefined, exists: () => false, install: () => false };

describe('the search for a browser', () => {
  it('takes the one on the PATH and installs nothing', () => {
    const install = () => assert.fail('it installed');
    assert.equal(
      requireBrowser({ ...bare, onPath: () => '/usr/bin/chromium', install }),
      '/usr/bin/chromium',
    );
  });

  it('looks in the places where systems put browsers', () => {
    const edge = 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe';
    assert.equal(requireBrowser({ ...bare, exists: (file) => file === edge }), edge);
  });

  it('installs one on a bare machine where that is possible', () => {
    let isInstalled = false;
    const install = () => {
      isInstalled = true;
      return true;
    };
    const onPath = () => (isInstalled ? '/usr/bin/chromium' : undefined);
    assert.equal(requireBrowser({ ...bare, onPath, install }), '/usr/bin/chromium');
  });

  it('says in one line what to install where it cannot', () => {
    assert.throws(() => requireBrowser(bare), /^Error: No browser found: install Chromium[^\n]*$/);
  });
});
