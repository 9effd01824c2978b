/** Deeper levels are indented like this one: data nested a million deep must not become a document of terabytes. */
const MAX_INDENTED_DEPTH = 50;

/**
 * Indents JSON without reading its values: only white space between tokens changes, so no digit or key is lost. A text
 * that is no JSON comes back as it is. Takes time in proportion to the text, and no stack, however it is nested.
 */
export function indentJson(text: string, indent = '  '): string {
  if (!isJson(text)) return text;
  const parts: string[] = [];
  let depth = 0;
  let isOpened = false;
  const newLine = () => `\n${indent.repeat(Math.min(depth, MAX_INDENTED_DEPTH))}`;
  for (let at = 0; at < text.length; ) {
    const end = findTokenEnd(text, at);
    const token = text.slice(at, end);
    at = end;
    if (isBlank(token)) continue;
    const isClosing = token === '}' || token === ']';
    if (isOpened && !isClosing) parts.push(newLine());
    if (isClosing) {
      depth -= 1;
      if (!isOpened) parts.push(newLine());
    }
    isOpened = token === '{' || token === '[';
    if (isOpened) depth += 1;
    parts.push(token);
    if (token === ',') parts.push(newLine());
    else if (token === ':') parts.push(' ');
  }
  return parts.join('');
}

/** JSON without the white space between its tokens; the rest stays byte for byte. No JSON comes back as it is. */
export function compactJson(text: string): string {
  if (!isJson(text)) return text;
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = findTokenEnd(text, at);
    const token = text.slice(at, end);
    at = end;
    if (!isBlank(token)) parts.push(token);
  }
  return parts.join('');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const isBlank = (token: string) => token === ' ' || token === '\n' || token === '\r' || token === '\t';

/** The end of the token, or of the one blank, that starts at `start` of a text that is JSON. */
function findTokenEnd(text: string, start: number): number {
  if (text[start] === '"') return findStringEnd(text, start);
  let end = start;
  while (end < text.length && !'{}[],:" \n\r\t'.includes(text.charAt(end))) end += 1;
  return Math.max(end, start + 1);
}

/** A loop and no regular expression: one with a choice inside a repetition runs out of stack in a long string. */
function findStringEnd(text: string, start: number): number {
  let end = start + 1;
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}
