/**
 * Backups of removed jobs: a file of JSON lines each, a header first and then a batch a line, written before the jobs
 * go. The newest are kept; who can read the user's files can read the data in them.
 */
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../base/clock';
import type { QueueAddress } from '../../keys/keys';
import type { BackupBatch, JobBackup } from '../../queue/backup';

/** How many are kept. */
const MAX_BACKUPS = 50;
const VERSION = 1;

/** Of which jobs a backup is. */
export interface BackupHeader {
  readonly version: number;
  readonly atMs: number;
  readonly connectionId: string;
  /** Of the server, without a password. */
  readonly server: string;
  readonly queue: QueueAddress;
}

export interface StoredBackup {
  readonly path: string;
  readonly header: BackupHeader;
  readonly batches: readonly BackupBatch[];
}

export class Backups {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(folder: string, clock: Clock = systemClock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Begins a backup. The first call of what it returns makes the file; a batch is on the disk when it resolves. */
  begin(about: Omit<BackupHeader, 'version' | 'atMs'>): (batch: BackupBatch) => Promise<void> {
    const atMs = this.#clock();
    const name = `${`${Math.round(atMs)}`.padStart(16, '0')}-${randomBytes(6).toString('hex')}.jsonl`;
    const path = join(this.#folder, name);
    let isBegun = false;
    return async (batch) => {
      if (!isBegun) {
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        const header: BackupHeader = { version: VERSION, atMs, ...about };
        await appendFile(path, `${JSON.stringify(header)}\n`, { mode: 0o600, flush: true });
        isBegun = true;
        await this.#prune();
      }
      await appendFile(path, `${JSON.stringify(batch)}\n`, { mode: 0o600, flush: true });
    };
  }

  /** Newest first. A file that is torn is read as far as it goes; one that is strange is left out. */
  async list(): Promise<StoredBackup[]> {
    const found = await Promise.all((await this.#files()).map((path) => readBackupFile(path)));
    return found.filter((backup) => backup !== undefined).sort((a, b) => b.header.atMs - a.header.atMs);
  }

  /** Deletes a backup, for its jobs are back. */
  async remove(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  async #files(): Promise<string[]> {
    const names = await readdir(this.#folder).catch((): string[] => []);
    return names
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => join(this.#folder, name));
  }

  async #prune(): Promise<void> {
    const files = await this.#files();
    for (const path of files.slice(0, Math.max(0, files.length - MAX_BACKUPS)))
      await rm(path, { force: true });
  }
}

async function readBackupFile(path: string): Promise<StoredBackup | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const [first, ...rest] = text.split('\n').map(parse);
  if (!isHeader(first)) return undefined;
  return { path, header: first, batches: rest.filter(isBatch) };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isHeader(value: unknown): value is BackupHeader {
  if (typeof value !== 'object' || value === null) return false;
  const { version, atMs, connectionId, server, queue } = value as Record<string, unknown>;
  if (version !== VERSION || typeof atMs !== 'number') return false;
  if (typeof connectionId !== 'string' || typeof server !== 'string') return false;
  const address = queue as Partial<QueueAddress> | null | undefined;
  return typeof address?.prefix === 'string' && typeof address.queue === 'string';
}

const isBatch = (value: unknown): value is BackupBatch =>
  Array.isArray(value) && value.every((job: Partial<JobBackup> | null) => typeof job?.id === 'string');
