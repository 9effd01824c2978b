/** Walks from a script through everything it includes. */
import { resolveInclude } from '../scripts/includes';
import { type FileFacts, type PlacedInclude, readFacts } from './facts';
import type { CheckInput } from './types';

/** A file taken in by a script. */
export interface IncludedFile {
  readonly path: string;
  readonly facts: FileFacts;
  /** The line of the script through which it came in first. */
  readonly through: PlacedInclude;
}

/** A script and all it takes in, each file once, where the loader puts it. */
export interface ScriptTree {
  readonly path: string;
  readonly facts: FileFacts;
  readonly included: readonly IncludedFile[];
}

/**
 * The tree of a script as the files stand now; `undefined` when there is no such file. An include that does not
 * exist, or that is being taken in already, is passed over: other rules speak of those.
 */
export function readScriptTree(path: string, input: CheckInput): ScriptTree | undefined {
  const factsOf = input.facts ?? ((_path: string, text: string) => readFacts(text));
  const read = (file: string): FileFacts | undefined => {
    const text = file === input.path ? input.text : input.readFile(file);
    return text === undefined ? undefined : factsOf(file, text);
  };
  const facts = read(path);
  if (!facts) return undefined;

  const included: IncludedFile[] = [];
  const seen = new Set([path]);
  // A list of what is still to be visited, and not recursion, so that a chain may be of any length.
  const waiting = facts.includes.map((include) => ({ from: path, include, through: include })).reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { through } = next;
    const file = resolveInclude(next.from, next.include.path);
    if (seen.has(file)) continue;
    seen.add(file);
    const found = read(file);
    if (!found) continue;
    included.push({ path: file, facts: found, through });
    for (const include of [...found.includes].reverse()) waiting.push({ from: file, include, through });
  }
  return { path, facts, included };
}
