import type * as vscode from 'vscode';
import type { TlsOptions } from '../../executor/options';
import type { Executor } from '../../executor/types';
import type { QueueAddress } from '../../keys/keys';
import type { StoredSentinel } from '../contributions';
import type { KnownQueues } from './knownQueues';

/** A connection as the features see it. The passwords are not here. */
export interface Connection {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly prefixes: readonly string[];
  /** What there is to say about TLS beyond the URL's scheme. */
  readonly tls?: TlsOptions;
  readonly sentinel?: StoredSentinel;
}

export interface LostConnection {
  readonly connectionId: string;
  readonly problem: string;
}

/** The connections and the sockets behind them. */
export interface Connections {
  list(): readonly Connection[];
  find(id: string): Connection | undefined;
  /** The executor of a connection; it connects when first used. @throws InputError for an unknown id or a bad URL. */
  requireExecutor(id: string): Promise<Executor>;
  /** Fires after the list, or one entry of it, changed. */
  readonly onDidChange: vscode.Event<void>;
  /** Fires when a connection was lost, with the sentence that says so. */
  readonly onDidLose: vscode.Event<LostConnection>;
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
  /** The queues found so far. */
  readonly known: KnownQueues;
  readonly changes: vscode.EventEmitter<QueueChange>;
  /** The user wants to see everything of a connection anew, or of all. */
  readonly refreshes: vscode.EventEmitter<string | undefined>;
}
