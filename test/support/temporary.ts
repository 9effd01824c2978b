/** Folders that are gone when their owner is done, or when the process ends, however it ends by itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  /** Deletes the folder and everything in it. May be called twice. */
  remove(): void;
}

/** Makes a folder under the system's temporary one. */
export function makeTemporaryFolder(purpose: string): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), `echomq-${purpose}-`));
  const remove = () => {
    process.off('exit', remove);
    // A server that is just ending may still write a log line into the folder: try again rather than fail.
    rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  };
  process.on('exit', remove);
  return { path, remove };
}
