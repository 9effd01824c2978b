import type { ConnectionError, ScriptFailure } from '../base/errors';

/** One argument of a script or command. Numbers are sent in their shortest exact decimal form. */
export type Argument = string | number | Uint8Array;

/** A script to run: its id (`promote-9`), as many keys as its name says, and its arguments. */
export interface ScriptCall {
  readonly script: string;
  readonly keys: readonly string[];
  readonly args: readonly Argument[];
  /** `{prefix}:{queue}`, for the log and for sentences about rights. */
  readonly queueKey?: string;
}

/** What Redis answered: RESP2 values. Whole numbers come as numbers, bulk strings as UTF-8 text. */
export type Reply = string | number | null | Reply[];

/** A read command by name and its arguments. Only commands that cannot write are accepted. */
export type ReadCommand = readonly [command: string, ...args: (string | number)[]];

/** The outcome of one command of a pipeline. */
export type ReadReply = { readonly value: Reply } | { readonly error: ConnectionError };

/** What became of one of many calls. */
export type RunOutcome = { readonly value: Reply } | { readonly error: ConnectionError | ScriptFailure };

/** What every run of a script leaves in the log. Never arguments, never job data. */
export interface RunRecord {
  readonly script: string;
  readonly queueKey: string;
  readonly durationMs: number;
  /** `ok`, or the code, or the family of the error; of many calls how many there were, and how many were ok. */
  readonly outcome: string;
}

/**
 * The only way to Redis (layer 3). Connects when first used and again after a loss; never repeats a command whose
 * outcome is unknown.
 */
export interface Executor {
  /** `redis://user@host:port/db`, without the password. */
  readonly address: string;
  /** Runs one script by its SHA. Throws `ConnectionError` or `ScriptFailure`; a negative reply is returned as it is. */
  run(call: ScriptCall): Promise<Reply>;
  /**
   * Runs scripts in one MULTI/EXEC, all on the same slot. Same errors as `run`. A script that fails does not keep
   * the others from running; its error is thrown afterwards.
   */
  runTogether(calls: readonly ScriptCall[]): Promise<Reply[]>;
  /**
   * Runs many calls of one script, one after the other in one pipelined round trip, each atomic by itself. Gives what
   * became of each; one that fails keeps nobody from the next. Rejects with `ConnectionError` when the connection
   * itself failed: then any of them may or may not have run. The log gets one record for all.
   */
  runEach(calls: readonly ScriptCall[]): Promise<RunOutcome[]>;
  /**
   * Sends read commands as one pipelined round trip. A command that fails fails alone; rejects with
   * `ConnectionError` only when the connection itself failed, or the server as a whole answers nothing at the moment
   * (`loading`, `busy`, `passwordNeeded`). @throws Error for a command that is not a read.
   */
  read(commands: readonly ReadCommand[]): Promise<ReadReply[]>;
  /** Calls back when an established connection is lost, but not when it is closed by us. */
  onLost(listener: (error: ConnectionError) => void): { dispose(): void };
  /**
   * Closes for good and waits until no socket is left. Pending reads reject with the code `closed`, pending scripts
   * with `outcomeUnknown`, and whatever is asked later with `closed`. Safe to call twice.
   */
  close(): Promise<void>;
}
