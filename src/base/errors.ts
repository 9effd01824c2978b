/**
 * The three families of error that lower floors throw. Each carries a code and a sentence fit to show: what
 * happened, to what, and what to do. Only `editor/platform` shows anything.
 */

/** A script looked at the job and said no: a code of the closed set -1…-11. */
export class ScriptRefusal extends Error {
  readonly family = 'refusal';
  constructor(
    message: string,
    /** The negative integer of the closed set. */
    readonly code: number,
    readonly script: string,
    readonly jobId?: string,
  ) {
    super(message);
    this.name = 'ScriptRefusal';
  }
  static is(error: unknown): error is ScriptRefusal {
    return error instanceof ScriptRefusal;
  }
}

export type ConnectionErrorCode =
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'wrongPassword'
  | 'passwordNeeded'
  | 'noPermission'
  /** The server has no such command: it is older, or the command was renamed or removed. */
  | 'unknownCommand'
  | 'tls'
  | 'readOnlyReplica'
  /** A replica that has lost its primary and answers nothing until it is back. */
  | 'primaryDown'
  /** The sentinels cannot say where the primary is, or are not let in. */
  | 'sentinel'
  /** The server that the sentinels named is not the primary, or not yet. */
  | 'failover'
  /** The server is a node of a cluster, which is not supported yet. */
  | 'cluster'
  /** The connection takes no writes from here; nothing was sent. */
  | 'readOnly'
  | 'loading'
  | 'busy'
  | 'outOfMemory'
  | 'wrongType'
  | 'closed'
  /** The connection was lost after a write was sent: it may or may not have happened. */
  | 'outcomeUnknown'
  | 'serverError';

/** The connection failed, or the server refused a command before any script ran. */
export class ConnectionError extends Error {
  readonly family = 'connection';
  constructor(
    message: string,
    readonly code: ConnectionErrorCode,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ConnectionError';
  }
  static is(error: unknown): error is ConnectionError {
    return error instanceof ConnectionError;
  }
}

/** A script itself broke: a Lua error, mapped back to the file and line it was written at. */
export class ScriptFailure extends Error {
  readonly family = 'failure';
  constructor(
    message: string,
    readonly script: string,
    /** Path inside `lua/`, for example `includes/addBaseMarker.lua`; `undefined` when the server gave no line. */
    readonly file?: string,
    /** 1-based. */
    readonly line?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ScriptFailure';
  }
  static is(error: unknown): error is ScriptFailure {
    return error instanceof ScriptFailure;
  }
}

/** What the user asked for cannot be: wrong input, found before anything was sent. */
export class InputError extends Error {
  readonly family = 'input';
  constructor(message: string) {
    super(message);
    this.name = 'InputError';
  }
  static is(error: unknown): error is InputError {
    return error instanceof InputError;
  }
}
