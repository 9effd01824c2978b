/** Finds a browser for the workbench, or installs one, or says in one line what to install. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { aptInstall, canUseApt, findOnPath } from '../redisBinary';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** How a machine is looked at; a test hands in machines that lack things. */
export interface BrowserSearch {
  readonly onPath: (names: readonly string[]) => string | undefined;
  readonly exists: (file: string) => boolean;
  /** Tries to install Chromium. Returns whether that worked. */
  readonly install: () => boolean;
}

const THIS_MACHINE: BrowserSearch = {
  onPath: findOnPath,
  exists: existsSync,
  install: () => canUseApt() && aptInstall(['chromium']),
};

/** @throws Error that says in one line what to install. */
export function requireBrowser(search: BrowserSearch = THIS_MACHINE): string {
  const find = () => search.onPath(NAMES) ?? PLACES.find(search.exists);
  const found = find() ?? (search.install() ? find() : undefined);
  if (found) return found;
  throw new Error(
    'No browser found: install Chromium, Google Chrome or Microsoft Edge, and put it on the PATH.',
  );
}

/** Starts a headless browser. The caller closes it. */
export function launchBrowser(): Promise<Browser> {
  // Root may not use the sandbox, and small containers have a small /dev/shm.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--force-prefers-reduced-motion'];
  return chromium.launch({ executablePath: requireBrowser(), args });
}
