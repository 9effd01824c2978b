/**
 * Splits Lua 5.1 text into tokens. Total: it takes any text, never throws, and always ends. What is no Lua becomes
 * symbols, a string without an end stops at its line, and a long bracket without an end runs to the end of the text.
 * Blanks and comments are left out.
 */

export type TokenKind = 'name' | 'keyword' | 'number' | 'string' | 'symbol';

export interface Token {
  readonly kind: TokenKind;
  /** The text of the token. Empty for strings, whose content no check asks for. */
  readonly text: string;
  /** Offset of its first UTF-16 unit. */
  readonly start: number;
  /** Offset after its last. */
  readonly end: number;
}

const KEYWORDS = new Set(
  'and break do else elseif end false for function if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
);

// Each finds the first unit that is no longer part of the run. Searching for the end, unlike matching the run, needs
// no memory for going back, so a run of many megabytes is read like any other.
const NOT_BLANK = /[^ \t\r\n\f\v]/g;
const NOT_WORD = /[^A-Za-z0-9_]/g;
const NOT_DIGIT = /[^0-9.]/g;
const NOT_EQUALS = /[^=]/g;
const LINE_END = /[\r\n]/g;
const DOUBLE_QUOTED_STOP = /["\\\r\n]/g;
const SINGLE_QUOTED_STOP = /['\\\r\n]/g;

const BLANK = /[ \t\r\n\f\v]/y;
const WORD_START = /[A-Za-z_]/y;
const NUMBER_START = /\.?[0-9]/y;
const EXPONENT = /[eE][+-]?/y;
const SYMBOL = /\.\.\.|\.\.|==|~=|<=|>=|./sy;

/** The tokens of a text, one at a time, so that a text of many megabytes needs no list of them. */
export function* tokenize(text: string): Generator<Token, void> {
  let at = 0;
  const isHere = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    return pattern.test(text);
  };
  /** Moves past the pattern when it is here. */
  const skip = (pattern: RegExp): void => {
    if (isHere(pattern)) at = pattern.lastIndex;
  };
  const skipTo = (stop: RegExp): void => {
    stop.lastIndex = at;
    at = stop.test(text) ? stop.lastIndex - 1 : text.length;
  };
  /** Moves past a long bracket with all it holds. */
  const skipLong = (): boolean => {
    if (text[at] !== '[') return false;
    const open = at;
    at += 1;
    skipTo(NOT_EQUALS);
    if (text[at] !== '[') {
      at = open;
      return false;
    }
    const close = `]${text.slice(open + 1, at)}]`;
    const found = text.indexOf(close, at + 1);
    at = found === -1 ? text.length : found + close.length;
    return true;
  };
  const skipQuoted = (quote: string): void => {
    at += 1;
    while (at < text.length) {
      skipTo(quote === '"' ? DOUBLE_QUOTED_STOP : SINGLE_QUOTED_STOP);
      if (text[at] === quote) at += 1;
      else if (text[at] === '\\') {
        // A backslash may hide a line end, which Windows writes as two units.
        at += text.startsWith('\r\n', at + 1) ? 3 : 2;
        continue;
      }
      break;
    }
    at = Math.min(at, text.length);
  };
  /** Reads a number as Lua's own lexer does: letters and all; whether it is one is asked afterwards. */
  const skipNumber = (): void => {
    skipTo(NOT_DIGIT);
    skip(EXPONENT);
    skipTo(NOT_WORD);
  };

  // Redis 7 reads a first line `#!lua name=...` as flags.
  if (text.startsWith('#')) skipTo(LINE_END);
  while (at < text.length) {
    if (isHere(BLANK)) {
      skipTo(NOT_BLANK);
      continue;
    }
    if (text.startsWith('--', at)) {
      at += 2;
      if (!skipLong()) skipTo(LINE_END);
      continue;
    }
    const start = at;
    let kind: TokenKind = 'symbol';
    if (isHere(WORD_START)) {
      skipTo(NOT_WORD);
      kind = 'name';
    } else if (isHere(NUMBER_START)) {
      skipNumber();
      kind = 'number';
    } else if (text[at] === '"' || text[at] === "'") {
      skipQuoted(text[at] ?? '"');
      kind = 'string';
    } else if (skipLong()) {
      kind = 'string';
    } else {
      skip(SYMBOL);
    }
    const content = kind === 'string' ? '' : text.slice(start, at);
    if (kind === 'name' && KEYWORDS.has(content)) kind = 'keyword';
    yield { kind, text: content, start, end: at };
  }
}
