/** What the checks need to know of one file, and how it is remembered between keystrokes. */
import { parseIncludes } from '../scripts/includes';
import { findKeyUses, type KeyUse } from './keyUses';
import { indexLines } from './lineIndex';
import type { FactsOf, TextRange } from './types';

/** A use of `KEYS` with its place. */
export interface PlacedKeyUse extends KeyUse {
  readonly range: TextRange;
}

/** A line that takes in another file. */
export interface PlacedInclude {
  /** As it is written. */
  readonly path: string;
  readonly range: TextRange;
}

/** Everything a file says by itself, whatever includes it. */
export interface FileFacts {
  readonly keyUses: readonly PlacedKeyUse[];
  readonly includes: readonly PlacedInclude[];
}

/** Reads a text. Total: any text gives facts. */
export function readFacts(text: string): FileFacts {
  const uses = findKeyUses(text);
  const includes = text.includes('@include') ? parseIncludes(text) : [];
  if (uses.length === 0 && includes.length === 0) return { keyUses: [], includes: [] };
  const lines = indexLines(text);
  return {
    keyUses: uses.map((use) => ({ ...use, range: lines.getRange(use.start, use.end) })),
    includes: includes.map(({ path, line }) => ({ path, range: lines.getLineRange(line - 1) })),
  };
}

/**
 * Facts that are read once for each text of a path, so that a keystroke costs the reading of the file it changed and
 * of no other. Keeps the newest text of every path it was asked for; let go of it with the workspace.
 */
export function rememberFacts(): FactsOf {
  const known = new Map<string, { readonly text: string; readonly facts: FileFacts }>();
  return (path, text) => {
    const before = known.get(path);
    if (before?.text === text) return before.facts;
    const facts = readFacts(text);
    known.set(path, { text, facts });
    return facts;
  };
}
