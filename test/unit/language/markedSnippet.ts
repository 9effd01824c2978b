/** A text with the places that a rule must report, written in it: `redis.call('GET', KEYS[«3»])`. */
import type { Diagnostic, Position } from '../../../src/language/types';

export interface MarkedSnippet {
  /** The text without the marks. */
  readonly text: string;
  /** `line:character-line:character` of every marked place, in order. */
  readonly places: readonly string[];
}

export function readMarked(marked: string): MarkedSnippet {
  const places: string[] = [];
  let text = '';
  let start = '';
  for (const unit of marked) {
    if (unit === '«') start = here(text);
    else if (unit === '»') places.push(`${start}-${here(text)}`);
    else text += unit;
  }
  return { text, places };
}

/** The same form for what was found. */
export function placesOf(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ range }) => `${show(range.start)}-${show(range.end)}`);
}

function here(text: string): string {
  const lines = text.split('\n');
  return show({ line: lines.length - 1, character: lines.at(-1)?.length ?? 0 });
}

function show(position: Position): string {
  return `${position.line}:${position.character}`;
}
