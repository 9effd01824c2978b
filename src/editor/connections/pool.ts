/** One executor a connection, made when first asked for and closed when the connection changes or goes. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ConnectionError, InputError } from '../../base/errors';
import { gateWrites, refuseWrites } from '../../executor/gate';
import type { Executor, RunRecord } from '../../executor/types';
import { SETTINGS } from '../contributions';
import { loadEngine } from '../platform/loadEngine';
import type { Connection, Connections, LostConnection, PoolSafety, WriteReport } from '../platform/services';
import { readSetting } from '../platform/settings';
import { type Secrets, toOptions } from './record';
import type { ConnectionStore } from './store';

/** What says where a connection leads. */
type Server = Pick<Connection, 'url' | 'tls' | 'sentinel'>;

interface OpenConnection {
  readonly fingerprint: string;
  readonly url: string;
  /** Ungated: it never leaves the pool. */
  readonly executor: Promise<Executor>;
}

export class ConnectionPool implements Connections, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly lost = new vscode.EventEmitter<LostConnection>();
  private readonly executors = new Map<string, OpenConnection>();
  private readonly subscriptions: vscode.Disposable[] = [];
  readonly onDidChange = this.changed.event;
  readonly onDidLose = this.lost.event;

  constructor(
    private readonly store: ConnectionStore,
    private readonly extensionPath: string,
    private readonly log: vscode.LogOutputChannel,
    private readonly safety: PoolSafety,
  ) {
    this.subscriptions.push(
      store.onDidChangePassword((id) => {
        if (this.executors.has(id)) void this.drop(id).then(() => this.changed.fire());
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration(SETTINGS)) return;
        this.dropStale();
        this.changed.fire();
      }),
      // Connections of the workspace count from now on.
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.dropStale();
        this.changed.fire();
      }),
    );
  }

  list = (): readonly Connection[] => this.store.list();

  find = (id: string): Connection | undefined => this.list().find((c) => c.id === id);

  async requireExecutor(id: string, report?: WriteReport): Promise<Executor> {
    const { url, executor } = await this.requireOpen(id);
    const inner = await executor;
    return gateWrites(inner, {
      admit: () => this.admit(id, url, inner),
      report: (calls, outcome) => {
        const connection = this.find(id);
        if (report) report(inner.address, calls, outcome);
        else if (connection) this.safety.report(connection, inner.address, calls, outcome);
      },
    });
  }

  async requireConsent(id: string): Promise<void> {
    const { url, executor } = await this.requireOpen(id);
    await this.admit(id, url, await executor);
  }

  /** What is asked is what the settings say now, and not what they said when the connection was opened. */
  private async admit(id: string, url: string, inner: Executor): Promise<void> {
    const connection = this.requireConnection(id);
    if (connection.url !== url) {
      throw new ConnectionError(
        `"${connection.name}" leads elsewhere now. Refresh, then try again.`,
        'closed',
      );
    }
    await this.safety.admit(connection, refuseWrites(inner));
  }

  private requireConnection(id: string): Connection {
    const connection = this.find(id);
    if (!connection) throw new InputError('This connection is no longer in the settings. Add it again.');
    return connection;
  }

  private async requireOpen(id: string): Promise<OpenConnection> {
    const connection = this.requireConnection(id);
    const known = this.executors.get(id);
    if (known) return known;
    const executor = this.connect(connection, await this.store.readSecrets(connection));
    // Another caller may have opened it while the secrets were read.
    const raced = this.executors.get(id);
    if (raced) {
      void executor.then((e) => e.close());
      return raced;
    }
    const opened = { fingerprint: fingerprint(connection), url: connection.url, executor };
    this.executors.set(id, opened);
    executor.then(
      (e) => e.onLost((error) => this.lost.fire({ connectionId: id, problem: error.message })),
      () => this.executors.delete(id),
    );
    return opened;
  }

  /** Opens an executor that belongs to no stored connection and only reads; the caller closes it. */
  async open(server: Server, secrets: Secrets): Promise<Executor> {
    return refuseWrites(await this.connect(server, secrets));
  }

  private async connect(server: Server, secrets: Secrets): Promise<Executor> {
    const { createExecutor, createScriptLibrary } = await loadEngine();
    const timeout = readSetting('connection.timeoutMs');
    const options = { ...toOptions(server, secrets), connectTimeoutMs: timeout };
    return createExecutor(options, createScriptLibrary(join(this.extensionPath, 'lua')), (r) =>
      this.record(r),
    );
  }

  /** Closes the socket of a connection; the next use opens another. */
  async drop(id: string): Promise<void> {
    const known = this.executors.get(id);
    this.executors.delete(id);
    if (known) await known.executor.then((e) => e.close()).catch(() => undefined);
  }

  /** Tells everybody that the list changed where no setting did (a new password). */
  announce(): void {
    this.changed.fire();
  }

  async close(): Promise<void> {
    await Promise.all([...this.executors.keys()].map((id) => this.drop(id)));
  }

  dispose(): void {
    for (const s of this.subscriptions) s.dispose();
    this.changed.dispose();
    this.lost.dispose();
    void this.close();
  }

  private dropStale(): void {
    for (const [id, { fingerprint: known }] of this.executors) {
      const now = this.find(id);
      if (!now || fingerprint(now) !== known) void this.drop(id);
    }
  }

  private record(record: RunRecord): void {
    this.log.info(
      `${record.script} on ${record.queueKey}: ${record.outcome} in ${record.durationMs.toFixed(1)} ms`,
    );
  }
}

const fingerprint = (connection: Connection) =>
  JSON.stringify([connection.url, connection.tls, connection.sentinel, readSetting('connection.timeoutMs')]);
