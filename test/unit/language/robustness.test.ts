import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { checkFile } from '../../../src/language/diagnostics';
import { rememberFacts } from '../../../src/language/facts';
import { tokenize } from '../../../src/language/tokens';
import type { CheckInput, Diagnostic } from '../../../src/language/types';

const SCRIPT = readFileSync(join(__dirname, '../../../lua/moveStalledJobsToWait-8.lua'), 'utf8').replace(
  'return ',
  'local odd = "\\"" .. [==[ ]] ]==] --[[ x ]] local planted = KEYS[ (0x0C) ] return ',
);

const check = (text: string, files: Readonly<Record<string, string>> = {}): Diagnostic[] =>
  checkFile({ path: 'planted-8.lua', text, readFile: (path) => files[path] });

/** Pieces of Lua in any order, most of them wrong in it. */
const pieces = fc.constantFrom(
  ...'KEYS KEYS KEYS[ [ ] ( ) { } - -- --[[ ]] [==[ ]==] " \' \\ , ; = == . .. ... : 3 99 0x0C 1e 1e+ x'.split(
    ' ',
  ),
  ...'local function for in do then else elseif if while repeat until end return and not nil'.split(' '),
  '\n',
  '\r\n',
  '--- @include "x"\n',
);
const junk = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(' '));

describe('the checks on any text', () => {
  it('see the planted fault in the whole script', () => {
    assert.equal(check(SCRIPT).length, 1);
  });

  it('stand every prefix of a script', () => {
    for (let length = 0; length <= SCRIPT.length; length++) check(SCRIPT.slice(0, length));
  });

  it('stand the loss of any token, and mostly still see the fault', () => {
    const tokens = [...tokenize(SCRIPT)];
    const seen = tokens.filter(
      ({ start, end }) => check(SCRIPT.slice(0, start) + SCRIPT.slice(end)).length > 0,
    );
    // Lost with it: KEYS, the bracket on either side, the parenthesis on either side, the number, `local`'s `=`, …
    assert.ok(
      seen.length >= tokens.length - 12,
      `${tokens.length - seen.length} of ${tokens.length} hide it`,
    );
  });

  it('stand junk made of Lua', () => {
    fc.assert(
      fc.property(junk, (text) => {
        check(text, { 'x.lua': text });
      }),
      { numRuns: 2000 },
    );
  });

  it('stand any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        check(`KEYS${Buffer.from(bytes).toString('latin1')}`);
        check(`KEYS${Buffer.from(bytes).toString('utf8')}`);
      }),
      { numRuns: 1000 },
    );
  });

  it('stand half a surrogate pair, a byte order mark and a zero', () => {
    check('\ufeffKEYS[9]\ud800KEYS[9]\0KEYS[9]');
  });

  it('report only ranges that lie in the text, in its order', () => {
    fc.assert(
      fc.property(junk, (text) => {
        const lines = text.split('\n');
        let before = -1;
        for (const { range } of check(text, { 'x.lua': text })) {
          assert.ok(range.start.character <= (lines[range.start.line]?.length ?? -1));
          assert.ok(range.end.character <= (lines[range.end.line]?.length ?? -1));
          assert.ok(range.start.line >= before);
          before = range.start.line;
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('answer the same twice, and the same from memory', () => {
    const facts = rememberFacts();
    fc.assert(
      fc.property(junk, junk, (text, included) => {
        const input: CheckInput = { path: 'a-1.lua', text, readFile: () => included, scripts: ['b-1.lua'] };
        const once = checkFile(input);
        assert.deepEqual(checkFile(input), once);
        assert.deepEqual(checkFile({ ...input, facts }), once);
        assert.deepEqual(checkFile({ ...input, facts }), once);
      }),
    );
  });
});

describe('the tokens of any text', () => {
  it('lie in order, and between them only blanks and comments', () => {
    fc.assert(
      fc.property(junk, (text) => {
        let end = text.startsWith('#') ? text.length : 0;
        for (const token of tokenize(text)) {
          assert.ok(token.start >= end && token.end > token.start && token.end <= text.length);
          assert.match(text.slice(end, token.start), /^(?:\s|--.*)*$/s);
          end = token.end;
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the checks on large input', () => {
  it('finish a script of 5 MB', () => {
    const line = 'local function f(KEYS) return KEYS[2], "KEYS[3]" end -- KEYS[4]\n';
    const text = `${line.repeat(Math.ceil(5_000_000 / line.length))}return KEYS[9]\n`;
    assert.equal(check(text).length, 1);
  });

  const endless: Record<string, string> = {
    'a string without an end': `KEYS "${'a'.repeat(5_000_000)}`,
    'a string of escapes': `KEYS "${'\\n'.repeat(2_500_000)}"`,
    'one long number': `KEYS[${'1'.repeat(5_000_000)}]`,
    'a bracket that never opens': `KEYS [${'='.repeat(2_000_000)}`,
    'a million parentheses': `x = KEYS[${'('.repeat(1_000_000)}`,
    'a hundred thousand blocks': `KEYS ${'do KEYS[3] '.repeat(100_000)}`,
    'a hundred thousand functions': `KEYS ${'f(function(KEYS) '.repeat(100_000)}`,
    'a hundred thousand declarations in one another': `KEYS ${'local KEYS = { '.repeat(100_000)}`,
  };
  for (const [what, text] of Object.entries(endless)) {
    it(`finish ${what}`, () => void check(text));
  }

  const COUNT = 1000;
  const name = (i: number) => `i${i}.lua`;
  const chain = (last: string) =>
    Object.fromEntries(
      Array.from({ length: COUNT }, (_, i) => [
        name(i),
        i === COUNT - 1 ? last : `--- @include "i${i + 1}"\n`,
      ]),
    );

  it('follow a chain of 1,000 includes to its end', () => {
    const found = check('--- @include "i0"\n', chain('return KEYS[9]'));
    assert.equal(found.length, 1);
    assert.deepEqual(found[0]?.related[0]?.path, name(COUNT - 1));
  });

  it('go once around a cycle of 1,000 includes', () => {
    const found = check('--- @include "i0"\n', chain('--- @include "i0"\nreturn KEYS[9]'));
    assert.equal(found.length, 1);
  });

  it('take 1,000 includes that all include each other', () => {
    const lines = Array.from({ length: COUNT }, (_, i) => `--- @include "i${i}"\n`).join('');
    const files = Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [name(i), lines]));
    const facts = rememberFacts();
    const input: CheckInput = { path: 'a-1.lua', text: lines, readFile: (path) => files[path], facts };
    assert.deepEqual(checkFile(input), []);
  });
});
