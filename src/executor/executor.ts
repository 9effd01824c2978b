/**
 * The way to Redis. Invariants:
 *
 * - A connection is made when it is first needed, one at a time, and again when it is needed after a loss. There is
 *   no loop that reconnects.
 * - A script is sent by its SHA. Only the answer NOSCRIPT, which means that it did not run, makes its text be sent.
 * - What was sent and not answered is never sent again. What was answered with LOADING did nothing; it is sent again for
 *   a limited time.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { ConnectionError, ScriptFailure } from '../base/errors';
import type { LoadedScript, ScriptLibrary } from '../scripts/types';
import { formatAddress } from './address';
import { Connection, type Locate, type WireCommand, type WireReply } from './connection';
import type { ConnectionOptions } from './options';
import { requireReadCommand } from './readCommands';
import { locatePrimary } from './sentinel';
import { describeRead, describeScriptFailure, describeServerFailure, isServerWide } from './serverFailure';
import type {
  Argument,
  Executor,
  ReadCommand,
  ReadReply,
  Reply,
  RunOutcome,
  RunRecord,
  ScriptCall,
} from './types';

/** How long a server that loads its data is waited for, and how often it is asked. */
const LOADING_WAIT_MS = 5000;
const LOADING_STEP_MS = 250;

/**
 * An executor for one server. Nothing is connected before the first use.
 * @param log called after each run of a script, never with arguments or job data.
 */
export function createExecutor(
  options: ConnectionOptions,
  library: ScriptLibrary,
  log: (record: RunRecord) => void = () => {},
): Executor {
  return new RedisExecutor(options, library, log);
}

class RedisExecutor implements Executor {
  readonly address: string;
  readonly #options: ConnectionOptions;
  readonly #library: ScriptLibrary;
  readonly #log: (record: RunRecord) => void;
  readonly #listeners = new Set<(error: ConnectionError) => void>();
  readonly #closing = new AbortController();
  readonly #locate: Locate | undefined;
  #connection: Connection | undefined;

  constructor(options: ConnectionOptions, library: ScriptLibrary, log: (record: RunRecord) => void) {
    this.address = formatAddress(options);
    this.#options = options;
    this.#library = library;
    this.#log = log;
    if ('sentinel' in options) {
      this.#locate = (signal) => locatePrimary(options.sentinel, options, signal);
    }
  }

  async run(call: ScriptCall): Promise<Reply> {
    const script = this.#loadFor(call);
    const startedMs = performance.now();
    try {
      const connection = await this.#connect();
      const value = await this.#runOn(connection, script, call);
      this.#record(call, startedMs, typeof value === 'number' && value < 0 ? `${value}` : 'ok');
      return value;
    } catch (error) {
      this.#leaveDemoted(error);
      this.#record(call, startedMs, nameOutcome(error));
      throw error;
    }
  }

  async #runOn(connection: Connection, script: LoadedScript, call: ScriptCall): Promise<Reply> {
    const rest = [`${call.keys.length}`, ...call.keys, ...call.args.map(encodeArgument)];
    let [reply] = await this.#sendScripts(connection, [['EVALSHA', script.sha, ...rest]], script.id);
    if (isUnknownScript(reply)) {
      if (!connection.isOpen) throw this.#closedError();
      [reply] = await this.#sendScripts(connection, [['EVAL', script.text, ...rest]], script.id);
    }
    if (!reply) throw new Error(`${script.id} got no reply.`);
    if ('error' in reply) throw describeScriptFailure(reply.error, this.#options, script, call.queueKey);
    return reply.value;
  }

  /**
   * The text of each script goes along instead of its SHA: a script that the server has forgotten would otherwise
   * fail in the middle, after those before it had run.
   */
  async runTogether(calls: readonly ScriptCall[]): Promise<Reply[]> {
    const scripts = calls.map((call) => this.#loadFor(call));
    const startedMs = performance.now();
    try {
      const connection = await this.#connect();
      await connection.requireTransactions();
      if (!connection.isOpen) throw this.#closedError();
      const values = await this.#runTogetherOn(connection, scripts, calls);
      for (const [i, call] of calls.entries()) {
        const value = values[i];
        this.#record(call, startedMs, typeof value === 'number' && value < 0 ? `${value}` : 'ok');
      }
      return values;
    } catch (error) {
      this.#leaveDemoted(error);
      for (const call of calls) this.#record(call, startedMs, nameOutcome(error));
      throw error;
    }
  }

  async #runTogetherOn(
    connection: Connection,
    scripts: readonly LoadedScript[],
    calls: readonly ScriptCall[],
  ): Promise<Reply[]> {
    const evals = calls.map((call, i): WireCommand => {
      const args = call.args.map(encodeArgument);
      return ['EVAL', scripts[i]?.text ?? '', `${call.keys.length}`, ...call.keys, ...args];
    });
    const names = scripts.map((script) => script.id).join(', ');
    const replies = await this.#sendScripts(connection, [['MULTI'], ...evals, ['EXEC']], names);
    const fail = (error: Error, i: number) => {
      const script = scripts[i];
      if (!script) return describeServerFailure(error, this.#options, { what: 'MULTI' });
      return describeScriptFailure(error, this.#options, script, calls[i]?.queueKey);
    };
    // An error before EXEC means that the server discarded all of it.
    for (const [i, reply] of replies.slice(1, -1).entries()) if ('error' in reply) throw fail(reply.error, i);
    const last = replies.at(-1);
    if (last && 'error' in last) throw fail(last.error, -1);
    const results: readonly unknown[] = last && Array.isArray(last.value) ? last.value : [];
    for (const [i, result] of results.entries()) if (result instanceof Error) throw fail(result, i);
    return results as Reply[];
  }

  async runEach(calls: readonly ScriptCall[]): Promise<RunOutcome[]> {
    const [first] = calls;
    if (!first) return [];
    const script = this.#loadFor(first);
    if (calls.some((call) => call.script !== first.script))
      throw new Error('Each call is of the same script.');
    const startedMs = performance.now();
    try {
      const connection = await this.#connect();
      const outcomes = await this.#runEachOn(connection, script, calls);
      const failed = outcomes.find((outcome) => 'error' in outcome);
      if (failed && 'error' in failed) this.#leaveDemoted(failed.error);
      const ok = outcomes.filter((o) => 'value' in o && !(typeof o.value === 'number' && o.value < 0)).length;
      this.#record(first, startedMs, `${calls.length} runs, ${ok} ok`);
      return outcomes;
    } catch (error) {
      this.#leaveDemoted(error);
      this.#record(first, startedMs, nameOutcome(error));
      throw error;
    }
  }

  async #runEachOn(
    connection: Connection,
    script: LoadedScript,
    calls: readonly ScriptCall[],
  ): Promise<RunOutcome[]> {
    const rests = calls.map((call) => {
      this.#loadFor(call);
      return [`${call.keys.length}`, ...call.keys, ...call.args.map(encodeArgument)];
    });
    const send = (commands: readonly WireCommand[]) => this.#sendScripts(connection, commands, script.id);
    const replies = await send(rests.map((rest): WireCommand => ['EVALSHA', script.sha, ...rest]));
    // Only these did not run. The first brings the text, which the server keeps for those behind it.
    const unknown = [...replies.keys()].filter((i) => isUnknownScript(replies[i]));
    if (unknown.length > 0) {
      if (!connection.isOpen) throw this.#closedError();
      const again = await send(
        unknown.map((at, i): WireCommand => {
          const rest = rests[at] ?? [];
          return i === 0 ? ['EVAL', script.text, ...rest] : ['EVALSHA', script.sha, ...rest];
        }),
      );
      for (const [i, reply] of again.entries()) replies[unknown[i] ?? 0] = reply;
    }
    return calls.map(({ queueKey }, i): RunOutcome => {
      const reply = replies[i];
      if (!reply) throw new Error(`${script.id} got no reply.`);
      if (!('error' in reply)) return reply;
      return { error: describeScriptFailure(reply.error, this.#options, script, queueKey) };
    });
  }

  /** Sends what may write. A loss on the way means that nobody knows whether it ran. */
  async #sendScripts(connection: Connection, commands: readonly WireCommand[], names: string) {
    try {
      return await this.#sendWhenLoaded(connection, commands);
    } catch (error) {
      if (!ConnectionError.is(error)) throw error;
      const how = error.code === 'timeout' ? 'gave no answer in time' : 'was lost before the answer came';
      throw new ConnectionError(
        `${this.address} ${how}: ${names} may or may not have run. It was not repeated; refresh the queue to see.`,
        'outcomeUnknown',
        { cause: error },
      );
    }
  }

  async read(commands: readonly ReadCommand[]): Promise<ReadReply[]> {
    for (const command of commands) requireReadCommand(command);
    if (commands.length === 0) return [];
    const connection = await this.#connect();
    const replies = await this.#sendWhenLoaded(
      connection,
      commands.map(([name, ...args]): WireCommand => [name, ...args.map(String)]),
    );
    return replies.map((reply, i): ReadReply => {
      if (!('error' in reply)) return reply;
      const failure = describeServerFailure(reply.error, this.#options, describeRead(commands[i] ?? ['']));
      if (isServerWide(failure)) throw failure;
      return { error: failure };
    });
  }

  /** Sends commands, and sends them again while the server answers that it is loading, which means it did nothing. */
  async #sendWhenLoaded(connection: Connection, commands: readonly WireCommand[]): Promise<WireReply[]> {
    const deadlineMs = performance.now() + (this.#options.loadingWaitMs ?? LOADING_WAIT_MS);
    for (;;) {
      const replies = await connection.send(commands);
      const loading = replies.find((reply) => 'error' in reply && reply.error.message.startsWith('LOADING'));
      if (!loading || performance.now() >= deadlineMs) return replies;
      // Closing ends the wait; what was lost meanwhile was not sent, so that nothing about it is unknown.
      await wait(LOADING_STEP_MS, undefined, { signal: this.#closing.signal }).catch(() => undefined);
      if (!connection.isOpen) return [loading];
    }
  }

  onLost(listener: (error: ConnectionError) => void): { dispose(): void } {
    // An own function for each call, so that the same listener given twice is two.
    const entry = (error: ConnectionError) => listener(error);
    this.#listeners.add(entry);
    return { dispose: () => this.#listeners.delete(entry) };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#listeners.clear();
    await this.#connection?.close();
  }

  /** An open connection. Between its return and the next `await` it stays open. */
  async #connect(): Promise<Connection> {
    // The loss of a socket is known a moment before its end is told; then the end is awaited first.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      if (this.#closing.signal.aborted) throw this.#closedError();
      this.#connection ??= this.#open();
      const connection = this.#connection;
      await connection.ready;
      if (connection.isOpen) return connection;
      await connection.close();
    }
    throw this.#closedError();
  }

  #open(): Connection {
    const onEnd = (lost: ConnectionError | undefined) => {
      if (this.#connection === connection) this.#connection = undefined;
      if (lost) for (const listener of [...this.#listeners]) listener(lost);
    };
    const connection = new Connection(this.#options, onEnd, this.#locate);
    return connection;
  }

  /** A primary that has become a replica is left, so that the next use asks the sentinels for the new one. */
  #leaveDemoted(error: unknown): void {
    const isDemoted = ConnectionError.is(error) && error.code === 'readOnlyReplica';
    if (this.#locate && isDemoted) void this.#connection?.close();
  }

  #closedError(): ConnectionError {
    return new ConnectionError(`The connection to ${this.address} is closed. Connect again.`, 'closed');
  }

  #loadFor(call: ScriptCall): LoadedScript {
    const script = this.#library.load(call.script);
    if (call.keys.length !== script.keyCount) {
      throw new Error(`${script.id} takes ${script.keyCount} keys and was given ${call.keys.length}.`);
    }
    return script;
  }

  #record(call: ScriptCall, startedMs: number, outcome: string): void {
    const durationMs = performance.now() - startedMs;
    this.#log({ script: call.script, queueKey: call.queueKey ?? '', durationMs, outcome });
  }
}

const isUnknownScript = (reply: WireReply | undefined) =>
  reply !== undefined && 'error' in reply && reply.error.message.startsWith('NOSCRIPT');

function nameOutcome(error: unknown): string {
  if (ConnectionError.is(error)) return error.code;
  return ScriptFailure.is(error) ? error.family : 'error';
}

function encodeArgument(argument: Argument): string | Buffer {
  if (typeof argument === 'string') return argument;
  if (typeof argument === 'number') return encodeNumber(argument);
  return Buffer.from(argument.buffer, argument.byteOffset, argument.byteLength);
}

function encodeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be sent to a script.`);
  // Whole numbers are written out: from 1e21 on String() would use an exponent.
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}
