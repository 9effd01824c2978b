/** Looking for queues: one bounded pass at a time for a connection, with progress and Cancel when it takes long. */
import * as vscode from 'vscode';
import { loadEngine } from '../platform/loadEngine';
import { showInfo, withProgress } from '../platform/notify';
import type { Services } from '../platform/services';
import { readSetting } from '../platform/settings';
import { plural } from '../platform/text';

/** A search that saw every key and no more than these is made again with a refresh. */
const CHEAP_KEYS = 20_000;
/** A search that takes longer than this shows its progress. */
const QUIET_MS = 1000;

export class QueueSearch {
  private readonly running = new Map<string, Promise<void>>();
  /** By connection, the prefixes and address that were searched in this window. */
  private readonly done = new Map<string, string>();
  private readonly cheap = new Set<string>();

  constructor(private readonly services: Services) {}

  /** Looks, unless that was done in this window already. @throws ConnectionError when SCAN is refused. */
  async searchOnce(connectionId: string): Promise<void> {
    if (this.done.get(connectionId) !== this.fingerprint(connectionId)) await this.search(connectionId);
  }

  /** Has the next reading look again, where that is cheap: new queues then appear with a refresh. */
  noteRefresh(connectionId?: string): void {
    for (const id of connectionId === undefined ? [...this.cheap] : [connectionId]) {
      if (this.cheap.has(id)) this.done.delete(id);
    }
  }

  /** Looks now, or waits for the search that is under way. @throws ConnectionError when SCAN is refused. */
  search(connectionId: string): Promise<void> {
    const running = this.running.get(connectionId);
    if (running) return running;
    const fingerprint = this.fingerprint(connectionId);
    const search = this.run(connectionId)
      .then(() => void this.done.set(connectionId, fingerprint))
      .finally(() => this.running.delete(connectionId));
    this.running.set(connectionId, search);
    return search;
  }

  private fingerprint(connectionId: string): string {
    const { url, prefixes } = this.services.connections.find(connectionId) ?? {};
    return JSON.stringify([url, prefixes]);
  }

  private async run(connectionId: string): Promise<void> {
    const { connections, known } = this.services;
    const connection = connections.find(connectionId);
    if (!connection) return;
    const executor = await connections.requireExecutor(connectionId);
    const { discoverQueues } = await loadEngine();
    const cancellation = new vscode.CancellationTokenSource();
    let report: ((text: string) => void) | undefined;
    const search = discoverQueues(executor, connection.prefixes, {
      cancellation: cancellation.token,
      maxKeys: readSetting('discovery.maxKeys'),
      onProgress: ({ scanned, total, found }) =>
        report?.(
          `${plural(found.length, 'queue')}, ${scanned}${total === undefined ? '' : ` of ${total}`} keys`,
        ),
    });
    const timer = setTimeout(() => {
      void withProgress(`Looking for queues on ${connection.name}`, true, async (say, token) => {
        token.onCancellationRequested(() => cancellation.cancel());
        report = say;
        await search.catch(() => undefined);
      });
    }, QUIET_MS);
    try {
      const result = await search;
      if (result.end === 'complete' && result.scanned <= CHEAP_KEYS) this.cheap.add(connectionId);
      else this.cheap.delete(connectionId);
      // Only a pass that saw every key may forget a queue that is gone.
      if (result.end === 'complete') await known.replace(connectionId, result.queues);
      else await known.add(connectionId, result.queues);
      if (result.end === 'limit') {
        void showInfo(
          `The search on ${connection.name} stopped after ${result.scanned} keys (setting echomq.discovery.maxKeys). ` +
            `${plural(result.queues.length, 'queue')} found so far.`,
        );
      }
    } finally {
      clearTimeout(timer);
      cancellation.dispose();
    }
  }
}
