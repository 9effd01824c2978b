import type * as vscode from 'vscode';
import type { WriteOutcome } from '../../executor/gate';
import type { TlsOptions } from '../../executor/options';
import type { Executor, ScriptCall } from '../../executor/types';
import type { QueueAddress } from '../../keys/keys';
import type { StoredSentinel } from '../contributions';
import type { Backups } from './backups';
import type { Journal } from './journal';
import type { KnownQueues } from './knownQueues';
import type { WriteLocks } from './writeLocks';

/** A connection as the features see it. The passwords are not here. */
export interface Connection {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly prefixes: readonly string[];
  /** What there is to say about TLS beyond the URL's scheme. */
  readonly tls?: TlsOptions;
  readonly sentinel?: StoredSentinel;
  /** The settings say that nothing is ever written there. */
  readonly isReadOnly?: boolean;
  readonly isProduction?: boolean;
}

/** Told of scripts that ran, or failed, with the address of the server. */
export type WriteReport = (address: string, calls: readonly ScriptCall[], outcome: WriteOutcome) => void;

export interface LostConnection {
  readonly connectionId: string;
  readonly problem: string;
}

/** The connections and the sockets behind them. */
export interface Connections {
  list(): readonly Connection[];
  find(id: string): Connection | undefined;
  /**
   * The executor of a connection; it connects when first used. Its scripts pass the write gate: they are refused with
   * the code `readOnly` on a read-only connection, and the first of a window waits for the user's consent, without
   * which it rejects with `vscode.CancellationError`.
   * @param report told of scripts; without it each call of a script is a line of the journal. See `performAction`.
   * @throws InputError for an unknown id or a bad URL.
   */
  requireExecutor(id: string, report?: WriteReport): Promise<Executor>;
  /**
   * Settles when the connection may be written to: asks for consent now instead of at the first script.
   * @throws LockedError before anything is sent. @throws vscode.CancellationError without consent.
   */
  requireConsent(id: string): Promise<void>;
  /** Fires after the list, or one entry of it, changed. */
  readonly onDidChange: vscode.Event<void>;
  /** Fires when a connection was lost, with the sentence that says so. */
  readonly onDidLose: vscode.Event<LostConnection>;
}

/** What stands between the executors that are handed out and the servers. */
export interface PoolSafety {
  /**
   * Settles when a script may be sent; rejects with the error that says why not.
   * @param reader an executor of the connection that refuses every script.
   */
  admit(connection: Connection, reader: Executor): Promise<void>;
  /** Told of scripts that belong to no action. */
  report(connection: Connection, ...report: Parameters<WriteReport>): void;
}

/** Which queue a feature has just changed, so that others can read it again. */
export interface QueueChange {
  readonly connectionId: string;
  readonly address: QueueAddress;
}

/** What `activate` hands to every feature. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly connections: Connections;
  /** Which connections are read-only. */
  readonly locks: WriteLocks;
  /** What was done from here. */
  readonly journal: Journal;
  /** Of the jobs that were removed from here. */
  readonly backups: Backups;
  /** The queues found so far. */
  readonly known: KnownQueues;
  readonly changes: vscode.EventEmitter<QueueChange>;
  /** The user wants to see everything of a connection anew, or of all. */
  readonly refreshes: vscode.EventEmitter<string | undefined>;
}
