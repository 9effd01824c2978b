/**
 * Backups of jobs, from which they can be brought back whole: all their keys, their state and their place in it.
 *
 * They are made of plain reads and not of DUMP: what DUMP gives is bytes that only a server of the same version takes
 * back, while these are texts that a person can read in a file and any server can hold. The price is that bytes that
 * are no UTF-8 are lost on the way. Nothing is destroyed for that: the script that removes a backed-up job compares the
 * hash with the fingerprint of the backup, byte for byte, and leaves a job that is another.
 */
import { createHash } from 'node:crypto';
import type { ConnectionError } from '../base/errors';
import type { Executor, ReadCommand, ReadReply } from '../executor/types';
import { dependenciesOf } from '../keys/dependenciesOf';
import { wireName } from '../keys/jobFields';
import type { Keys } from '../keys/keys';
import { describeState, type JobState, STATES } from '../keys/states';
import { LIST_SEARCH_LIMIT } from './job';
import { findError, findNumber, findText, findTexts } from './replies';

/** One job as it was. Flat arrays hold field and value, or member and score, in turn. */
export interface JobBackup {
  readonly id: string;
  /** Empty where it was in no state, or too deep in a long list to be found. */
  readonly state: JobState | '';
  /** Of a sorted set the score; of a list how many jobs were served before it. */
  readonly place: string;
  readonly fields: readonly string[];
  readonly logs: readonly string[];
  readonly dependencies: readonly string[];
  readonly processed: readonly string[];
  readonly failed: readonly string[];
  readonly unsuccessful: readonly string[];
  /** The deduplication id, where the job owned it; `ttl` in ms, -1 for none; `next` is what was kept for later. */
  readonly deduplication?: { readonly id: string; readonly ttl: number; readonly next: readonly string[] };
  /** Whether its parent waited for it. */
  readonly isAwaited: boolean;
}

/** Jobs of one moment. Restored together they keep the order they had among each other. */
export type BackupBatch = readonly JobBackup[];

/** What jobs read at a time may take, so that memory stays flat. One larger job goes alone. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** Taken for the size of a job where the server does not tell. */
const UNKNOWN_BYTES = 512 * 1024;

/**
 * Backups of jobs at one moment, in the given order.
 * @throws ConnectionError also when a key of a job is of the wrong type.
 */
export async function readBackup(
  executor: Executor,
  keys: Keys,
  ids: readonly string[],
): Promise<JobBackup[]> {
  const { backups, problems } = await tryReadBackup(executor, keys, ids);
  if (problems[0]) throw problems[0].problem;
  return backups;
}

/** The same, with the jobs apart that cannot be read. @param state where they are, if that is known. */
export async function tryReadBackup(
  executor: Executor,
  keys: Keys,
  ids: readonly string[],
  state?: JobState,
): Promise<{
  backups: JobBackup[];
  problems: { readonly id: string; readonly problem: ConnectionError }[];
}> {
  const tail = await readTail(executor, keys, state);
  const places = placeCommands(keys, state, tail);
  const perJob = 6 + places('').length;
  const replies = await executor.read(
    ids.flatMap((id): ReadCommand[] => [
      ['HGETALL', keys.job(id)],
      ['LRANGE', keys.logs(id), 0, -1],
      ['SMEMBERS', keys.dependencies(id)],
      ['HGETALL', keys.processed(id)],
      ['HGETALL', keys.childFailures(id)],
      ['ZRANGE', keys.unsuccessful(id), 0, -1, 'WITHSCORES'],
      ...places(id),
    ]),
  );
  const problems: { id: string; problem: ConnectionError }[] = [];
  const backups = ids.flatMap((id, i): JobBackup[] => {
    const own = replies.slice(i * perJob, (i + 1) * perJob);
    const problem = own.map(findError).find((error) => error !== undefined);
    if (problem) {
      problems.push({ id, problem });
      return [];
    }
    const [fields, logs, dependencies, processed, failed, unsuccessful] = own.slice(0, 6).map(findTexts);
    const content = {
      id,
      ...decodePlace(id, own.slice(6), state, tail),
      fields: fields ?? [],
      logs: logs ?? [],
      dependencies: dependencies ?? [],
      processed: processed ?? [],
      failed: failed ?? [],
      unsuccessful: unsuccessful ?? [],
      isAwaited: false,
    };
    return [content];
  });
  return { backups: await addRelations(executor, keys, backups), problems };
}

/** How many of a list's jobs that are served next are read at once, where many of them are looked for. */
const TAIL = 1000;

/** How many jobs are served before each of those next in a list: what bulk operations ask for is there. */
async function readTail(
  executor: Executor,
  keys: Keys,
  state: JobState | undefined,
): Promise<ReadonlyMap<string, number> | undefined> {
  if (state === undefined || describeState(state).type === 'zset') return undefined;
  const ids = findTexts((await executor.read([['LRANGE', keys.state(state), -TAIL, -1]]))[0]);
  return new Map(ids.reverse().map((id, i) => [id, i]));
}

/** The reads that find a job's place, the same number for each. */
function placeCommands(
  keys: Keys,
  state: JobState | undefined,
  tail: ReadonlyMap<string, number> | undefined,
): (id: string) => ReadCommand[] {
  const states = state === undefined ? STATES.map((row) => row.state) : [state];
  return (id) =>
    states.flatMap((one): ReadCommand[] => {
      const key = keys.state(one);
      if (describeState(one).type === 'zset') return [['ZSCORE', key, id]];
      const limit = tail?.has(id) ? 1 : LIST_SEARCH_LIMIT;
      return [
        ['LLEN', key],
        ['LPOS', key, id, 'RANK', -1, 'MAXLEN', limit],
        ['LPOS', key, id, 'RANK', 1, 'MAXLEN', limit],
      ];
    });
}

function decodePlace(
  id: string,
  replies: readonly ReadReply[],
  state: JobState | undefined,
  tail: ReadonlyMap<string, number> | undefined,
): Pick<JobBackup, 'state' | 'place'> {
  const servedBefore = tail?.get(id);
  if (state !== undefined && servedBefore !== undefined) return { state, place: `${servedBefore}` };
  let at = 0;
  for (const row of state === undefined ? STATES : [describeState(state)]) {
    if (row.type === 'zset') {
      const score = findText(replies[at]);
      if (score !== undefined) return { state: row.state, place: score };
      at += 1;
    } else {
      const [length, fromTail, fromHead] = replies.slice(at, at + 3).map(findNumber);
      const index = fromTail ?? fromHead;
      if (index !== undefined)
        return { state: row.state, place: `${Math.max(0, (length ?? 0) - 1 - index)}` };
      at += 3;
    }
  }
  return { state: '', place: '0' };
}

/** What others hold of the jobs: the ownership of a deduplication id, and the wait of a parent. */
async function addRelations(
  executor: Executor,
  keys: Keys,
  backups: readonly JobBackup[],
): Promise<JobBackup[]> {
  const wanted = backups.map(({ id, fields }) => {
    const deduplicationId = findField(fields, wireName('deduplicationId'));
    const parentKey = findField(fields, wireName('parentKey'));
    const commands: ReadCommand[] = [];
    if (deduplicationId !== undefined) {
      commands.push(
        ['GET', keys.deduplication(deduplicationId)],
        ['PTTL', keys.deduplication(deduplicationId)],
        ['HGETALL', keys.deduplicationNext(deduplicationId)],
      );
    }
    if (parentKey !== undefined) commands.push(['SISMEMBER', dependenciesOf(parentKey), keys.job(id)]);
    return { deduplicationId, parentKey, commands };
  });
  const replies = await executor.read(wanted.flatMap(({ commands }) => commands));
  let at = 0;
  return backups.map((backup, i) => {
    const { deduplicationId, parentKey, commands } = wanted[i] ?? { commands: [] };
    const own = replies.slice(at, at + commands.length);
    at += commands.length;
    const [owner, ttl, next] = own;
    const isOwner = deduplicationId !== undefined && findText(owner) === backup.id;
    return {
      ...backup,
      ...(isOwner && {
        deduplication: { id: deduplicationId, ttl: findNumber(ttl) ?? -1, next: findTexts(next) },
      }),
      isAwaited: parentKey !== undefined && findNumber(own.at(-1)) === 1,
    };
  });
}

function findField(flat: readonly string[], name: string): string | undefined {
  for (let i = 0; i + 1 < flat.length; i += 2) if (flat[i] === name) return flat[i + 1];
  return undefined;
}

/** The names of the fields of a backup, and the fingerprint of their values that the removing script compares. */
export function fingerprint({ fields }: JobBackup): { names: string[]; sha: string } {
  const hash = createHash('sha1');
  const names: string[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    names.push(fields[i] ?? '');
    const value = Buffer.from(fields[i + 1] ?? '', 'utf8');
    hash.update(`${value.length}:`).update(value);
  }
  return { names, sha: hash.digest('hex') };
}

/** Cuts a list of jobs into pieces that can be read at a time without filling memory. */
export async function splitBySize(
  executor: Executor,
  keys: Keys,
  ids: readonly string[],
): Promise<string[][]> {
  const measured = await executor.read(
    ids.flatMap((id): ReadCommand[] =>
      [keys.job(id), keys.logs(id), keys.processed(id)].map((key) => ['MEMORY', 'USAGE', key, 'SAMPLES', 0]),
    ),
  );
  const pieces: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const [i, id] of ids.entries()) {
    const size = measured
      .slice(i * 3, i * 3 + 3)
      .reduce((sum, reply) => sum + ('error' in reply ? UNKNOWN_BYTES : (findNumber(reply) ?? 0)), 0);
    if (bytes + size > BATCH_BYTES) {
      pieces.push([]);
      bytes = 0;
    }
    bytes += size;
    pieces.at(-1)?.push(id);
  }
  return pieces;
}
