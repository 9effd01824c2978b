/** What the path of a script says about it. */

/** The parts of `promote-9.lua` or `tools/dropRecoveryKeys-2.lua`. */
export interface ScriptFile {
  readonly name: string;
  readonly keyCount: number;
  readonly isTool: boolean;
}

const SCRIPT_FILE = /^(tools\/)?([A-Za-z][A-Za-z0-9_]*)-(0|[1-9]\d{0,2})\.lua$/;

/** Reads a path inside the `lua` folder; `undefined` when it names no script (an include, or another file). */
export function parseScriptFile(path: string): ScriptFile | undefined {
  const match = SCRIPT_FILE.exec(path);
  if (!match?.[2] || match[3] === undefined) return undefined;
  return { name: match[2], keyCount: Number(match[3]), isTool: match[1] !== undefined };
}
