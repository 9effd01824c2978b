import type { Position, TextRange } from './types';

/** Turns offsets of one text into positions. */
export interface LineIndex {
  /** Offsets beyond the text give its end. */
  getPosition(offset: number): Position;
  getRange(start: number, end: number): TextRange;
  /** The whole of a 0-based line, without its end. */
  getLineRange(line: number): TextRange;
}

/** Reads where the lines of a text start. Lines end at `\n`; a `\r` before it is not part of the line. */
export function indexLines(text: string): LineIndex {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);

  const startOf = (line: number) => starts[line] ?? text.length;
  const getPosition = (offset: number): Position => {
    const wanted = Math.max(0, Math.min(offset, text.length));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (startOf(middle) <= wanted) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: wanted - startOf(low) };
  };
  return {
    getPosition,
    getRange: (start, end) => ({ start: getPosition(start), end: getPosition(end) }),
    getLineRange: (line) => {
      const start = startOf(line);
      const isLast = line + 1 >= starts.length;
      let end = isLast ? text.length : startOf(line + 1) - 1;
      if (end > start && text[end - 1] === '\r') end -= 1;
      return { start: { line, character: 0 }, end: { line, character: end - start } };
    },
  };
}
