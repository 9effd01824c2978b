/** Folders and files that the tests share. */
import { join, resolve } from 'node:path';

/** The root of the checkout. */
export const ROOT = resolve(__dirname, '..', '..');
/** What the build makes; git-ignored. */
export const DIST = join(ROOT, 'dist');
/** Downloaded hosts; git-ignored and kept between runs. */
export const HOSTS = join(ROOT, '.vscode-test');
/** Reports and screenshots of the last run; git-ignored. */
export const RESULTS = join(ROOT, 'test-results');
