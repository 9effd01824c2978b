/** The queue names found so far, kept per connection so that they are shown at once in the next window. */
import type * as vscode from 'vscode';
import { findPrefixProblem, findQueueNameProblem, type QueueAddress } from '../../keys/keys';

const storageKey = (connectionId: string) => `echomq.knownQueues.${connectionId}`;
const MAX_REMEMBERED = 5000;

const isAddress = (value: unknown): value is QueueAddress =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as QueueAddress).prefix === 'string' &&
  typeof (value as QueueAddress).queue === 'string' &&
  findPrefixProblem((value as QueueAddress).prefix) === undefined &&
  findQueueNameProblem((value as QueueAddress).queue) === undefined;

export class KnownQueues {
  constructor(private readonly memento: Pick<vscode.Memento, 'get' | 'update'>) {}

  /** Those under the prefixes of the connection, by name. */
  list(connectionId: string, prefixes: readonly string[]): QueueAddress[] {
    const stored = this.memento.get<unknown>(storageKey(connectionId));
    const list = Array.isArray(stored) ? stored.filter(isAddress) : [];
    return list.filter((a) => prefixes.includes(a.prefix)).sort(byName);
  }

  /** Drops what is remembered of a connection that is gone. */
  async forget(connectionId: string): Promise<void> {
    await this.memento.update(storageKey(connectionId), undefined);
  }

  /** What a pass over all keys found; queues that are gone are forgotten. */
  async replace(connectionId: string, queues: readonly QueueAddress[]): Promise<void> {
    await this.memento.update(storageKey(connectionId), queues.slice(0, MAX_REMEMBERED));
  }

  /** What a pass that ended early found. */
  async add(connectionId: string, queues: readonly QueueAddress[]): Promise<void> {
    const stored = this.memento.get<unknown>(storageKey(connectionId));
    const known = new Map((Array.isArray(stored) ? stored.filter(isAddress) : []).map((a) => [keyOf(a), a]));
    for (const address of queues) known.set(keyOf(address), address);
    await this.replace(connectionId, [...known.values()]);
  }
}

const keyOf = (a: QueueAddress) => JSON.stringify([a.prefix, a.queue]);

const byName = (a: QueueAddress, b: QueueAddress) =>
  a.queue.localeCompare(b.queue, undefined, { numeric: true }) || a.prefix.localeCompare(b.prefix);
