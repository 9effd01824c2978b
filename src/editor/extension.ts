/** Builds the object graph and hands it to the features. Nothing connects and nothing is read here. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createConnections, registerConnections } from './connections';
import { COMMANDS } from './contributions';
import { registerExplorer } from './explorer';
import { registerJobs } from './jobs';
import { registerLuaLanguage } from './luaLanguage';
import { Backups } from './platform/backups';
import { registerCommand } from './platform/commands';
import { KnownQueues } from './platform/knownQueues';
import type { QueueChange, Services } from './platform/services';
import { createSafety, registerSafety } from './safety';
import { registerTransitions } from './transitions';

let closeAll: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('EchoMQ', { log: true });
  const { locks, journal, poolSafety } = createSafety(context, log);
  const backups = new Backups(join(context.globalStorageUri.fsPath, 'backups'));
  const { store, pool } = createConnections(context, log, poolSafety);
  const changes = new vscode.EventEmitter<QueueChange>();
  const refreshes = new vscode.EventEmitter<string | undefined>();
  const known = new KnownQueues(context.globalState);
  const services: Services = {
    ...{ context, log, connections: pool, locks, journal, backups, known, changes, refreshes },
  };
  closeAll = async () => {
    await Promise.all([pool.close(), journal.close()]);
  };

  context.subscriptions.push(
    log,
    pool,
    changes,
    refreshes,
    registerCommand(log, COMMANDS.showLog, () => log.show()),
  );
  registerConnections(services, store, pool);
  registerExplorer(services);
  registerJobs(services);
  registerTransitions(services);
  registerSafety(services);
  registerLuaLanguage(services);
}

/** Waits until every socket is closed and the journal is written. */
export async function deactivate(): Promise<void> {
  await closeAll?.();
}
