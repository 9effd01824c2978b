/**
 * Finds where a text reads `KEYS` at an index written as a number: `KEYS[3]`, `KEYS [ (0x0C) ]`, `KEYS[-1]`.
 *
 * Works on tokens and not on a syntax tree: a text in the middle of being typed has no tree, and a finding must not
 * come and go with every keystroke.
 */
import { parseLuaNumber } from './luaNumber';
import { followScopes } from './scopes';
import { type Token, tokenize } from './tokens';

/** One reading of `KEYS` at a known index. */
export interface KeyUse {
  /** As Lua computes it: may be negative, zero, a fraction or infinite. */
  readonly index: number;
  /** Offset of the index itself, without brackets and parentheses. */
  readonly start: number;
  readonly end: number;
}

/** The uses of the global `KEYS` in a text, in their order. Total: any text gives an answer. */
export function findKeyUses(text: string): KeyUse[] {
  if (!text.includes('KEYS')) return [];
  const uses: KeyUse[] = [];
  const scopes = followScopes('KEYS');
  let reader: IndexReader | undefined;
  let previous: Token | undefined;
  for (const token of tokenize(text)) {
    scopes.take(token);
    reader = reader?.take(token);
    if (reader?.use) {
      uses.push(reader.use);
      reader = undefined;
    }
    const isField = previous?.text === '.' || previous?.text === ':';
    if (token.kind === 'name' && token.text === 'KEYS' && !isField && !scopes.isLocal()) {
      reader = new IndexReader();
    }
    previous = token;
  }
  return uses;
}

/** Reads what follows `KEYS`, token by token, up to the closing bracket. */
class IndexReader {
  /** Set when the bracket has been closed behind a number. */
  use: KeyUse | undefined;
  private isOpen = false;
  private parentheses = 0;
  private sign = 1;
  private start: number | undefined;
  private number: { value: number; end: number } | undefined;

  /** Itself as long as this may be an index by a number, then `undefined`. */
  take(token: Token): IndexReader | undefined {
    if (!this.isOpen) {
      this.isOpen = token.text === '[';
      return this.isOpen ? this : undefined;
    }
    if (this.number) return this.takeAfterNumber(token, this.number);
    if (token.text === '(' && this.start === undefined) {
      this.parentheses += 1;
      return this;
    }
    if (token.text === '-') {
      this.start ??= token.start;
      this.sign = -this.sign;
      return this;
    }
    const value = token.kind === 'number' ? parseLuaNumber(token.text) : undefined;
    if (value === undefined) return undefined;
    this.start ??= token.start;
    this.number = { value, end: token.end };
    return this;
  }

  private takeAfterNumber(token: Token, number: { value: number; end: number }): IndexReader | undefined {
    if (token.text === ')' && this.parentheses > 0) {
      this.parentheses -= 1;
      return this;
    }
    if (token.text !== ']' || this.parentheses > 0) return undefined;
    this.use = { index: this.sign * number.value, start: this.start ?? number.end, end: number.end };
    return this;
  }
}
