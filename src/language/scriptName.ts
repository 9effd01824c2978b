/**
 * What the name of a Lua file says, by the rule of the library's loader: the base name is split at its hyphens, and
 * only `<name>-<digits>.lua` declares a number of keys. `move-to-3.lua` has no count, and `helper.lua` is no script.
 */

/** The parts of `…/promote-9.lua`. */
export interface ScriptName {
  readonly name: string;
  readonly keyCount: number;
}

const SCRIPT_NAME = /(?:^|\/)([^/-]+)-(\d+)\.lua$/;

/** Reads a path with `/`; `undefined` when it names no transition script. */
export function parseScriptName(path: string): ScriptName | undefined {
  const match = SCRIPT_NAME.exec(path);
  if (!match?.[1]) return undefined;
  return { name: match[1], keyCount: Number(match[2]) };
}

/** The path of the same script with another number of keys. */
export function withKeyCount(path: string, keyCount: number): string {
  return path.replace(/-\d+\.lua$/, `-${keyCount}.lua`);
}

/** The last part of a path. */
export function getBaseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
