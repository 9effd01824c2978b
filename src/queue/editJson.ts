/**
 * Takes an edit of JSON text over into the text as it is stored, where the editor shows it indented. Values are never
 * read: a number of 17 digits, a `1.0`, the order of keys and the white space stay wherever the edit did not touch.
 */

import { requireJson } from './addJob';

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

const listTokens = (text: string): Token[] =>
  [...text.matchAll(TOKEN)].map(({ 0: token, index }) => ({
    text: token,
    start: index,
    end: index + token.length,
  }));

/**
 * The stored text with the edit in it. What stands before the first and behind the last token that differ is kept byte
 * for byte; between them the edited tokens stand without white space.
 * @throws InputError when the edited text is no JSON.
 */
export function editJson(stored: string, edited: string): string {
  requireJson(edited);
  const old = listTokens(stored);
  const wanted = listTokens(edited);
  const shorter = Math.min(old.length, wanted.length);
  let before = 0;
  while (before < shorter && old[before]?.text === wanted[before]?.text) before += 1;
  let behind = 0;
  while (behind < shorter - before && old.at(-1 - behind)?.text === wanted.at(-1 - behind)?.text) behind += 1;

  const start = old[before]?.start ?? stored.length;
  const end = before + behind < old.length ? (old[old.length - behind - 1]?.end ?? start) : start;
  const middle = wanted.slice(before, wanted.length - behind).map((token) => token.text);
  return `${stored.slice(0, start)}${middle.join('')}${stored.slice(end)}`;
}
