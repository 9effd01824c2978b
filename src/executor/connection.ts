/**
 * One connection from its start to its end. It is never revived: after a loss the executor makes another.
 *
 * Everything the client library would do by itself is off: reconnecting, queueing while offline, sending again, and
 * its own handshake, which asks for commands that least rights do not allow and goes on in database 0 when SELECT
 * fails.
 */

import { isIP } from 'node:net';
import { Redis } from 'ioredis';
import { ConnectionError } from '../base/errors';
import { formatHost } from './address';
import { describeConnectFailure, describeConnectTimeout, isProtocolFailure } from './connectFailure';
import { describeServerFailure, isServerReply } from './serverFailure';
import type { ConnectionOptions, Reply } from './types';

/** The name in CLIENT LIST by which others can tell who is connected. */
const CONNECTION_NAME = 'echomq-vscode';
const CONNECT_TIMEOUT_MS = 8000;
const COMMAND_TIMEOUT_MS = 15000;

/** A command with the arguments as they go over the wire. */
export type WireCommand = readonly [command: string, ...args: (string | Buffer)[]];

/** What came back for one command: a reply, or an error reply of the server. */
export type WireReply = { readonly value: Reply } | { readonly error: Error };

export class Connection {
  /** Settles when the connection can be used. Rejects with `ConnectionError`. */
  readonly ready: Promise<void>;
  readonly #redis: Redis;
  readonly #options: ConnectionOptions;
  readonly #ended: Promise<void>;
  #isReady = false;
  #isClosing = false;
  #isTransactionAllowed = false;
  /** The first reason for the end, when it is not simply that the other side closed. */
  #reason: ConnectionError | undefined;
  #lastError: Error | undefined;

  /** Starts to connect at once. `onEnd` is called once, when the socket is gone; with an error unless we closed it. */
  constructor(options: ConnectionOptions, onEnd: (lost: ConnectionError | undefined) => void) {
    this.#options = options;
    const redis = new Redis({
      host: options.host,
      port: options.port,
      ...(options.tls ? { tls: isIP(options.host) ? {} : { servername: options.host } } : {}),
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
    return describeConnectFailure(this.#lastError ?? thrown, this.#options);
  }

  /** Signs in, chooses the database and gives the connection its name: one round trip. */
  async #introduce(): Promise<void> {
    const { username, password, database } = this.#options;
    const commands: WireCommand[] = [];
    if (password !== undefined) commands.push(username ? ['AUTH', username, password] : ['AUTH', password]);
    if (database) commands.push(['SELECT', `${database}`]);
    commands.push(['CLIENT', 'SETNAME', CONNECTION_NAME]);
    const replies = await this.#exchange(commands);
    for (const [i, reply] of replies.entries()) {
      if (!('error' in reply)) continue;
      const what = commands[i]?.[0] ?? '';
      if (!isServerReply(reply.error)) throw reply.error;
      const failure = describeServerFailure(reply.error, this.#options, { what });
      // The name is a courtesy: servers without CLIENT, and users who may not use it, do without.
      if (what !== 'CLIENT' || failure.code === 'passwordNeeded') throw failure;
    }
  }

  /**
   * Sends commands in one write and waits for all replies. Call only while {@link isOpen}.
   * @throws ConnectionError `timeout` or `closed` when not all replies came; the connection is at its end then.
   */
  async send(commands: readonly WireCommand[]): Promise<WireReply[]> {
    const ms = this.#options.commandTimeoutMs ?? COMMAND_TIMEOUT_MS;
    const timer = setTimeout(() => {
      const sentence = `${formatHost(this.#options)} gave no answer within ${ms / 1000} s. Check the server, then try again.`;
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
    const pipeline = this.#redis.pipeline();
    // Names in capitals pass the library's reply transformers, which would turn flat hashes into objects.
    for (const [command, ...args] of commands) pipeline.call(command.toUpperCase(), ...args);
    const results = (await pipeline.exec()) ?? [];
    return results.map(([error, value]) => (error ? { error } : { value: value as Reply }));
  }

  /** Ends the connection at once and waits until the socket is gone. What is under way is not waited for. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#end(new ConnectionError(`The connection to ${formatHost(this.#options)} was closed.`, 'closed'));
    await this.#ended;
  }

  #end(reason: ConnectionError): void {
    this.#reason ??= reason;
    if (this.#redis.status === 'end') return;
    this.#redis.disconnect();
    // Without this the library waits for the other side, which may be the very one that does not answer.
    this.#redis.stream?.destroy();
  }

  #describeLoss(): ConnectionError {
    if (this.#reason) return this.#reason;
    const at = formatHost(this.#options);
    if (this.#lastError && isProtocolFailure(this.#lastError)) {
      return new ConnectionError(`${at} sent something that is no Redis reply.`, 'serverError', {
        cause: this.#lastError,
      });
    }
    const sentence = `The connection to ${at} was lost. Check that the server runs, then try again.`;
    return new ConnectionError(sentence, 'closed', { cause: this.#lastError });
  }
}
