/** Builds the object graph and hands it to the features. Nothing connects and nothing is read here. */
import * as vscode from 'vscode';
import { registerConnections } from './connections';
import { ConnectionPool } from './connections/pool';
import { ConnectionStore } from './connections/store';
import { COMMANDS } from './contributions';
import { registerExplorer } from './explorer';
import { registerJobs } from './jobs';
import { registerLuaLanguage, registerLuaLanguage } from './luaLanguage';
import { registerCommand } from './platform/commands';
import type { QueueChange, Services } from './platform/services';
import { registerTransitions } from './transitions';

let pool: ConnectionPool | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('EchoMQ', { log: true });
  const store = new ConnectionStore(context.secrets);
  const connections = new ConnectionPool(store, context.extensionPath, log);
  const changes = new vscode.EventEmitter<QueueChange>();
  const services: Services = { context, log, connections, changes };
  pool = connections;

  context.subscriptions.push(
    log,
    connections,
    changes,
    registerCommand(log, COMMANDS.showLog, () => log.show()),
  );
  registerConnections(services, store, connections);
  registerExplorer(services);
  registerJobs(services);
  registerTransitions(services);
  registerLuaLanguage(services);
  registerLuaLanguage(services);
}

/** Waits until every socket is closed. */
export async function deactivate(): Promise<void> {
  await pool?.close();
}
