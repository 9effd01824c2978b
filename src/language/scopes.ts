/**
 * Follows blocks and declarations through a stream of tokens, to say at each token whether one name is a local there.
 * For any text, whole or not: a block that is never closed stays open, an `end` too many is passed over.
 *
 * A declared name becomes a local only behind its own statement (`local KEYS = KEYS`), and `until` still sees the
 * locals of its block. Both end with an expression, and the end of one shows only in the token behind it: a new
 * statement starts where an operand is followed by anything that cannot continue it.
 */
import type { Token } from './tokens';

/** The scopes around the token taken last. */
export interface Scopes {
  take(token: Token): void;
  /** Whether the name, written as the token taken last, is a local or a parameter. */
  isLocal(): boolean;
}

/** What to do once the expression list at this depth ends. */
interface Pending {
  readonly depth: number;
  readonly action: 'declare' | 'close';
}

const OPENERS = new Set(['(', '[', '{']);
const CLOSERS = new Set([')', ']', '}']);
const OPERAND_KEYWORDS = new Set(['end', 'nil', 'true', 'false']);
const OPERAND_SYMBOLS = new Set([')', ']', '}', '...']);

/** The names that are being listed: of which kind, and whether ours is among them. */
interface NameList {
  kind: 'local' | 'for' | 'function' | 'localFunction' | 'parameters';
  hasName: boolean;
}

/** Follows one name. */
export function followScopes(name: string): Scopes {
  /** One entry a block: whether the name was declared in it. */
  const blocks: boolean[] = [false];
  /** How many of the blocks declare it. Counted, because blocks may be nested a million deep. */
  let declared = 0;
  /** Brackets and blocks around the token, so that an expression knows its own level. */
  let depth = 0;
  const pending: Pending[] = [];
  /** Loops whose `do` is still to come: whether they declare the name. */
  const loops: { readonly depth: number; readonly hasName: boolean }[] = [];
  let list: NameList | undefined;
  let previous: Token | undefined;

  const declare = () => {
    if (!blocks[blocks.length - 1]) declared += 1;
    blocks[blocks.length - 1] = true;
  };
  const open = (hasName: boolean) => {
    blocks.push(hasName);
    if (hasName) declared += 1;
    depth += 1;
  };
  const close = () => {
    if (blocks.length > 1 && blocks.pop()) declared -= 1;
    depth = Math.max(0, depth - 1);
  };

  /** Does what waited for the end of an expression, if this token is behind one. */
  const settle = (token: Token) => {
    for (let last = pending.at(-1); last; last = pending.at(-1)) {
      if (last.depth < depth || (last.depth === depth && !startsStatement(token, previous))) return;
      pending.pop();
      if (last.action === 'close') close();
      else if (last.depth === depth) declare();
    }
  };

  /** Takes a token that belongs to the list; `false` when the list ended before it. */
  const takeListed = (token: Token, names: NameList): boolean => {
    const isFunction = names.kind === 'function' || names.kind === 'localFunction';
    if (token.kind === 'name') {
      if (names.kind === 'local' && previous?.text !== ',' && previous?.text !== 'local') return false;
      if (!isFunction) names.hasName ||= token.text === name;
      else if (names.kind === 'localFunction' && token.text === name) declare();
      return true;
    }
    if (isFunction) {
      if (token.text === '(') names.kind = 'parameters';
      return token.text === '(' || token.text === '.' || token.text === ':';
    }
    if (names.kind !== 'parameters') return token.text === ',';
    if (token.text === ')') {
      list = undefined;
      open(names.hasName);
    }
    return token.text === ')' || token.text === ',' || token.text === '...';
  };

  /** Draws the conclusion from a list that ended before this token. */
  const endList = (token: Token, names: NameList) => {
    list = undefined;
    if (names.kind === 'for') loops.push({ depth, hasName: names.hasName });
    else if (names.kind !== 'local') open(names.hasName);
    else if (names.hasName && token.text === '=') pending.push({ depth, action: 'declare' });
    else if (names.hasName) declare();
  };

  const openLoop = () => {
    const loop = loops.at(-1);
    const isOurs = loop !== undefined && loop.depth >= depth;
    if (isOurs) loops.pop();
    open(isOurs && loop.hasName);
  };

  const takeKeyword = (word: string) => {
    switch (word) {
      case 'local':
      case 'for':
        list = { kind: word, hasName: false };
        break;
      case 'function':
        list = { kind: previous?.text === 'local' ? 'localFunction' : 'function', hasName: false };
        break;
      case 'do':
        openLoop();
        break;
      case 'then':
      case 'repeat':
        open(false);
        break;
      case 'else':
        close();
        open(false);
        break;
      case 'elseif':
      case 'end':
        close();
        break;
      case 'until':
        pending.push({ depth, action: 'close' });
        break;
    }
  };

  const take = (token: Token) => {
    if (list) {
      if (takeListed(token, list)) return;
      endList(token, list);
    } else {
      settle(token);
    }
    if (token.kind === 'keyword') takeKeyword(token.text);
    else if (OPENERS.has(token.text)) depth += 1;
    else if (CLOSERS.has(token.text)) depth = Math.max(0, depth - 1);
  };

  return {
    isLocal: () => declared > 0,
    take: (token) => {
      take(token);
      previous = token;
    },
  };
}

function isOperandEnd(token: Token): boolean {
  if (token.kind === 'keyword') return OPERAND_KEYWORDS.has(token.text);
  return token.kind !== 'symbol' || OPERAND_SYMBOLS.has(token.text);
}

/** Whether a token cannot go on with the expression before it. */
function startsStatement(token: Token, previous: Token | undefined): boolean {
  if (token.text === ';') return true;
  if (!previous || !isOperandEnd(previous)) return false;
  return token.kind === 'name' || (token.kind === 'keyword' && token.text !== 'and' && token.text !== 'or');
}
