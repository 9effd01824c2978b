/** What a script of `lua/` says about itself in its header; the registry is generated from these. */
export interface ScriptDescription {
  /** `promote`. */
  readonly name: string;
  /** `promote-9.lua`, or `tools/<name>-<n>.lua` for a script of our own. */
  readonly file: string;
  /** The number in the file's name. */
  readonly keyCount: number;
  /** Ours, not the protocol's: outside every comparison with it. */
  readonly isTool: boolean;
  readonly purpose: string;
  /** Role of each key, in order; `keys.length === keyCount`. */
  readonly keys: readonly string[];
  /** Meaning of each argument, in order. */
  readonly args: readonly string[];
  /** The atomic steps, numbered from 1 in order. */
  readonly steps: readonly string[];
  /** What it returns, in words. */
  readonly reply: string;
  /** The negative codes it can return. */
  readonly codes: readonly number[];
  /** The events it can add to the stream. */
  readonly events: readonly string[];
}

/** A script with its includes put in place, ready to send. */
export interface LoadedScript {
  /** `promote-9`, or `tools/…` for ours: the file's name without its ending. */
  readonly id: string;
  readonly keyCount: number;
  readonly text: string;
  /** Lower-case hex SHA-1 of `text`. */
  readonly sha: string;
  /** Where line i+1 of `text` was written: a path inside `lua/` and a 1-based line. */
  readonly lines: readonly { readonly file: string; readonly line: number }[];
}

/** Gives the text of a script by its id (`promote-9`). Reads each file at most once. */
export interface ScriptLibrary {
  /** @throws Error naming the script when there is none of that id, or an include is missing or cyclic. */
  load(id: string): LoadedScript;
}
