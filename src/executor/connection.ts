/**
 * One connection from its start to its end. It is never revived: after a loss the executor makes another.
 *
 * Everything the client library would do by itself is off: reconnecting, queueing while offline, sending again, and
 * its own handshake, which asks for commands that least rights do not allow and goes on in database 0 when SELECT
 * fails.
 */

import { Redis } from 'ioredis';
import { ConnectionError } from '../base/errors';
import { formatPlace } from './address';
import { describeConnectFailure, describeConnectTimeout, isProtocolFailure } from './connectFailure';
import type { ConnectionOptions, HostPort } from './options';
import { describeServerFailure, isServerReply } from './serverFailure';
import { connectorFor, openStream } from './stream';
import type { Reply } from './types';

/** The name in CLIENT LIST by which others can tell who is connected. */
const CONNECTION_NAME = 'echomq-vscode';
const CONNECT_TIMEOUT_MS = 8000;
const COMMAND_TIMEOUT_MS = 15000;

/** A command with the arguments as they go over the wire. */
export type WireCommand = readonly [command: string, ...args: (string | Buffer)[]];

/** What came back for one command: a reply, or an error reply of the server. */
export type WireReply = { readonly value: Reply } | { readonly error: Error };

/** Finds out where a server is that is known by a name only. Rejects when the signal is aborted. */
export type Locate = (signal: AbortSignal) => Promise<HostPort>;

export class Connection {
  /** Settles when the connection can be used. Rejects with `ConnectionError`. */
  readonly ready: Promise<void>;
  readonly #redis: Redis;
  readonly #ended: Promise<void>;
  readonly #aborted = new AbortController();
  readonly #locate: Locate | undefined;
  /** Names the server itself once it has been located. */
  #options: ConnectionOptions;
  #isReady = false;
  #isClosing = false;
  #isTransactionAllowed = false;
  /** The first reason for the end, when it is not simply that the other side closed. */
  #reason: ConnectionError | undefined;
  #lastError: Error | undefined;

  /**
   * Starts to connect at once.
   * @param onEnd called once, when the socket is gone; with an error unless we closed it.
   * @param locate needed for a primary behind sentinels.
   */
  constructor(
    options: ConnectionOptions,
    onEnd: (lost: ConnectionError | undefined) => void,
    locate?: Locate,
  ) {
    this.#options = options;
    this.#locate = locate;
    const redis = new Redis({
      Connector: connectorFor(() => this.#openStream()),
      // Only tells the library which event of the socket to wait for.
      ...(options.tls ? { tls: {} } : {}),
      protocol: 2,
      lazyConnect: true,
      enableReadyCheck: false,
      enableOfflineQueue: false,
      disableClientInfo: true,
      autoResubscribe: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: null,
      connectTimeout: 0,
    });
    this.#redis = redis;
    redis.on('error', (error: Error) => {
      this.#lastError ??= error;
    });
    this.#ended = new Promise((resolve) => {
      redis.once('end', () => {
        const wasLost = this.#isReady && !this.#isClosing;
        this.#isReady = false;
        resolve();
        onEnd(wasLost ? this.#describeLoss() : undefined);
      });
    });
    this.ready = this.#open();
    // Whoever waits for `ready` gets the error; nobody waiting is no reason to end the process.
    this.ready.catch(() => {});
  }

  /** False from the moment on at which nothing can be sent any more. */
  get isOpen(): boolean {
    return this.#isReady && this.#redis.status === 'ready' && this.#redis.stream.writable;
  }

  async #openStream() {
    if (this.#locate) {
      const found = await this.#locate(this.#aborted.signal);
      this.#options = atPlace(this.#options, found);
    }
    const options = this.#options;
    if ('sentinel' in options) throw new Error('Sentinels need somebody who asks them.');
    return openStream(options);
  }

  async #open(): Promise<void> {
    const timer = setTimeout(() => {
      this.#end(describeConnectTimeout(this.#options));
    }, this.#options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS);
    try {
      await this.#redis.connect();
      await this.#introduce();
      this.#isReady = true;
    } catch (error) {
      const failure = this.#explain(error);
      this.#end(failure);
      await this.#ended;
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  }

  #explain(error: unknown): ConnectionError {
    if (this.#reason) return this.#reason;
    if (ConnectionError.is(error)) return error;
    const thrown = error instanceof Error ? error : new Error(String(error));
    const cause = this.#lastError ?? thrown;
    return ConnectionError.is(cause) ? cause : describeConnectFailure(cause, this.#options);
  }

  /** Signs in, chooses the database and gives the connection its name: one round trip. */
  async #introduce(): Promise<void> {
    const { username, password, database } = this.#options;
    const commands: WireCommand[] = [];
    // A user without a password is signed in as well: otherwise all would be done as the default user.
    if (username) commands.push(['AUTH', username, password ?? '']);
    else if (password !== undefined) commands.push(['AUTH', password]);
    if (database) commands.push(['SELECT', `${database}`]);
    commands.push(['CLIENT', 'SETNAME', CONNECTION_NAME]);
    // Sentinels may be behind the times. HELLO tells everybody the role, and a server without it is believed.
    if (this.#locate) commands.push(['HELLO', '2']);
    const replies = await this.#exchange(commands);
    for (const [i, reply] of replies.entries()) {
      const what = commands[i]?.[0] ?? '';
      if (!('error' in reply)) {
        if (what === 'HELLO') this.#requirePrimary(reply.value);
        continue;
      }
      if (!isServerReply(reply.error)) throw reply.error;
      const failure = describeServerFailure(reply.error, this.#options, { what });
      // The name is a courtesy: servers without CLIENT, and users who may not use it, do without.
      const isCourtesy = what === 'CLIENT' || what === 'HELLO';
      if (!isCourtesy || failure.code === 'passwordNeeded') throw failure;
    }
  }

  #requirePrimary(greeting: Reply): void {
    const items = Array.isArray(greeting) ? greeting : [];
    const role = items[items.indexOf('role') + 1];
    if (!items.includes('role') || role === 'master') return;
    const at = formatPlace(this.#options);
    throw new ConnectionError(
      `The sentinels name ${at} as primary, but it is a ${role}: a failover is under way. Try again in a moment.`,
      'failover',
    );
  }

  /**
   * Sends commands in one write and waits for all replies. Call only while {@link isOpen}.
   * @throws ConnectionError `timeout` or `closed` when not all replies came; the connection is at its end then.
   */
  async send(commands: readonly WireCommand[]): Promise<WireReply[]> {
    const ms = this.#options.commandTimeoutMs ?? COMMAND_TIMEOUT_MS;
    const timer = setTimeout(() => {
      const sentence = `${formatPlace(this.#options)} gave no answer within ${ms / 1000} s. Check the server, then try again.`;
      this.#end(new ConnectionError(sentence, 'timeout'));
    }, ms);
    try {
      const replies = await this.#exchange(commands);
      const isCut = replies.some((reply) => 'error' in reply && !isServerReply(reply.error));
      if (isCut) throw this.#describeLoss();
      return replies;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Learns once, without doing anything, whether the server lets this user run transactions.
   * @throws ConnectionError when it does not.
   */
  async requireTransactions(): Promise<void> {
    if (this.#isTransactionAllowed) return;
    for (const [i, reply] of (await this.send([['MULTI'], ['EXEC']])).entries()) {
      if ('error' in reply)
        throw describeServerFailure(reply.error, this.#options, { what: i === 0 ? 'MULTI' : 'EXEC' });
    }
    this.#isTransactionAllowed = true;
  }

  async #exchange(commands: readonly WireCommand[]): Promise<WireReply[]> {
    // Not a pipeline of the library's: those hold on to each other, and memory grows with many of them. All are written
    // in one go all the same.
    const { stream } = this.#redis;
    stream.cork();
    try {
      // Names in capitals pass the library's reply transformers, which would turn flat hashes into objects.
      const replies = commands.map(async ([command, ...args]): Promise<WireReply> => {
        try {
          return { value: (await this.#redis.call(command.toUpperCase(), ...args)) as Reply };
        } catch (error) {
          return { error: error instanceof Error ? error : new Error(String(error)) };
        }
      });
      return Promise.all(replies);
    } finally {
      stream.uncork();
    }
  }

  /** Ends the connection at once and waits until the socket is gone. What is under way is not waited for. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#end(new ConnectionError(`The connection to ${formatPlace(this.#options)} was closed.`, 'closed'));
    await this.#ended;
  }

  #end(reason: ConnectionError): void {
    this.#reason ??= reason;
    this.#aborted.abort();
    if (this.#redis.status === 'end') return;
    this.#redis.disconnect();
    // Without this the library waits for the other side, which may be the very one that does not answer.
    this.#redis.stream?.destroy();
  }

  #describeLoss(): ConnectionError {
    if (this.#reason) return this.#reason;
    const at = formatPlace(this.#options);
    if (this.#lastError && isProtocolFailure(this.#lastError)) {
      return new ConnectionError(`${at} sent something that is no Redis reply.`, 'serverError', {
        cause: this.#lastError,
      });
    }
    const sentence = `The connection to ${at} was lost. Check that the server runs, then try again.`;
    return new ConnectionError(sentence, 'closed', { cause: this.#lastError });
  }
}

function atPlace(options: ConnectionOptions, place: HostPort): ConnectionOptions {
  const { sentinel: _, ...common } = { sentinel: undefined, ...options };
  return { ...common, ...place };
}
