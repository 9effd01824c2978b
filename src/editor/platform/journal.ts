/**
 * What was done to Redis from this editor. Each window appends lines of JSON to a file of its own, so that two windows
 * cannot lose each other's, and whoever reads takes all files together. Old files go when there is too much: what is
 * kept is bounded, whatever is done.
 *
 * A line holds ids and names as they are, hostile or not; they become text when they are shown. Never job data.
 */
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../base/clock';
import { cut } from './text';

/** One action: a move of a job or of several, or the calls of a script that belong to no action. */
export interface JournalEntry {
  readonly atMs: number;
  readonly connection: string;
  /** Without the password. */
  readonly address: string;
  readonly queue: string;
  readonly action: string;
  /** The first of them. */
  readonly ids: readonly string[];
  /** How many there were. */
  readonly count: number;
  readonly outcome: string;
  readonly scripts: readonly string[];
}

export interface JournalOptions {
  readonly clock?: Clock;
  /** A window begins another file when its own has grown past this. */
  readonly maxFileBytes?: number;
  /** Of all files together; the oldest go. */
  readonly maxBytes?: number;
  /** Told of a line that could not be written. */
  readonly onProblem?: (error: unknown) => void;
}

const MAX_IDS = 50;
const MAX_TEXT = 500;

export class Journal {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #maxFileBytes: number;
  readonly #maxBytes: number;
  readonly #onProblem: (error: unknown) => void;
  readonly #listeners = new Set<() => void>();
  #file: { readonly path: string; bytes: number } | undefined;
  #pending: Promise<void> = Promise.resolve();

  /** @param folder a folder of its own; it is made with the first line. */
  constructor(folder: string, options: JournalOptions = {}) {
    this.#folder = folder;
    this.#clock = options.clock ?? systemClock;
    this.#maxFileBytes = options.maxFileBytes ?? 256 * 1024;
    this.#maxBytes = options.maxBytes ?? 2 * 1024 * 1024;
    this.#onProblem = options.onProblem ?? (() => {});
  }

  /** Writes a line, in turn. Never rejects: what was done stays done. */
  record(entry: Omit<JournalEntry, 'atMs' | 'count'> & { readonly count?: number }): Promise<void> {
    const { ids } = entry;
    const line: JournalEntry = {
      atMs: this.#clock(),
      connection: cut(entry.connection, MAX_TEXT),
      address: cut(entry.address, MAX_TEXT),
      queue: cut(entry.queue, MAX_TEXT),
      action: cut(entry.action, MAX_TEXT),
      ids: ids.slice(0, MAX_IDS).map((id) => cut(id, MAX_TEXT)),
      count: entry.count ?? ids.length,
      outcome: cut(entry.outcome, MAX_TEXT),
      scripts: entry.scripts.slice(0, MAX_IDS),
    };
    this.#pending = this.#pending.then(() => this.#append(line)).catch(this.#onProblem);
    return this.#pending;
  }

  /** All lines of all windows, newest first. A line that is torn or strange is left out. */
  async read(): Promise<JournalEntry[]> {
    await this.#pending;
    const texts = await Promise.all((await this.#listFiles()).map((path) => readText(path)));
    const lines = texts.flatMap((text) => text.split('\n'));
    const entries = lines.map(parseLine).filter((entry) => entry !== undefined);
    return entries.reverse().sort((a, b) => b.atMs - a.atMs);
  }

  /** Calls back after a line was written here. */
  onDidRecord(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Settles when every line is on the disk. */
  close(): Promise<void> {
    return this.#pending;
  }

  async #append(entry: JournalEntry): Promise<void> {
    const line = `${JSON.stringify(entry)}\n`;
    if (!this.#file || this.#file.bytes >= this.#maxFileBytes) await this.#begin();
    if (!this.#file) return;
    this.#file.bytes += Buffer.byteLength(line);
    await appendFile(this.#file.path, line, { mode: 0o600 });
    for (const listener of [...this.#listeners]) listener();
  }

  /** Names sort by the time at which a file was begun. */
  async #begin(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const time = `${Math.max(0, Math.round(this.#clock()))}`.padStart(16, '0');
    this.#file = { path: join(this.#folder, `${time}-${randomBytes(6).toString('hex')}.jsonl`), bytes: 0 };
    await this.#prune();
  }

  async #prune(): Promise<void> {
    const files = (await this.#listFiles()).reverse();
    let total = this.#maxFileBytes;
    for (const path of files) {
      // Another window may have deleted it a moment ago.
      total += await stat(path).then(
        ({ size }) => size,
        () => 0,
      );
      if (total > this.#maxBytes) await rm(path, { force: true });
    }
  }

  /** From the oldest on. */
  async #listFiles(): Promise<string[]> {
    const names = await readdir(this.#folder).catch((): string[] => []);
    const ours = names.filter((name) => name.endsWith('.jsonl')).sort();
    return ours.map((name) => join(this.#folder, name));
  }
}

const readText = (path: string) => readFile(path, 'utf8').catch(() => '');

function parseLine(line: string): JournalEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is JournalEntry {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Record<string, unknown>;
  const isText = (name: string) => typeof entry[name] === 'string';
  const isTexts = (name: string) =>
    Array.isArray(entry[name]) && (entry[name] as unknown[]).every((item) => typeof item === 'string');
  return (
    typeof entry.atMs === 'number' &&
    typeof entry.count === 'number' &&
    ['connection', 'address', 'queue', 'action', 'outcome'].every(isText) &&
    ['ids', 'scripts'].every(isTexts)
  );
}
