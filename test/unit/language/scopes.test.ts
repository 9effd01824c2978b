/** Which `KEYS` is a local is held against luaparse, a real parser of Lua 5.1, on programs made at random. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'luaparse';
import { findKeyUses } from '../../../src/language/keyUses';

/** The indices of the global `KEYS`, as the parser sees them. */
function findByParsing(text: string): number[] {
  const found: number[] = [];
  parse(text, {
    luaVersion: '5.1',
    scope: true,
    onCreateNode: (node) => {
      if (node.type !== 'IndexExpression' || node.base.type !== 'Identifier') return;
      if (node.base.name !== 'KEYS' || ('isLocal' in node.base && node.base.isLocal)) return;
      if (node.index.type === 'NumericLiteral') found.push(node.index.value);
    },
  });
  return found.sort((a, b) => a - b);
}

/** Gives every `KEYS[]` of a program an index of its own. */
function number(program: string): string {
  let count = 0;
  return program.replace(/KEYS\[\]/g, () => `KEYS[${++count}]`);
}

const name = fc.constantFrom('KEYS', 'KEYS', 'a', 'b');
const names = fc.array(name, { minLength: 1, maxLength: 3 }).map((all) => all.join(', '));
const parameters = fc.oneof(
  fc.constant(''),
  names,
  fc.constant('...'),
  names.map((all) => `${all}, ...`),
);

const { block } = fc.letrec<{ expression: string; statement: string; block: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom('KEYS[]', 'KEYS[]', 'a', '1', '"s"', 'nil', '{}', 'KEYS'),
    fc
      .tuple(tie('expression'), fc.constantFrom('+', '..', 'and', 'or', '=='), tie('expression'))
      .map((e) => e.join(' ')),
    fc.tuple(fc.constantFrom('not ', '- ', '#'), tie('expression')).map((e) => e.join('')),
    tie('expression').map((e) => `(${e})`),
    tie('expression').map((e) => `f(${e}, KEYS[])`),
    tie('expression').map((e) => `a:KEYS(${e})`),
    tie('expression').map((e) => `{ KEYS = ${e}, [${e}] = KEYS[]; ${e} }`),
    fc.tuple(parameters, tie('block')).map(([all, body]) => `function(${all}) ${body} end`),
  ),
  statement: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    names.map((all) => `local ${all}`),
    fc.tuple(names, tie('expression')).map(([all, e]) => `local ${all} = ${e}`),
    tie('expression').map((e) => `a.KEYS = ${e}`),
    tie('expression').map((e) => `f(${e})`),
    tie('block').map((body) => `do ${body} end`),
    fc.tuple(tie('expression'), tie('block')).map(([e, body]) => `while ${e} do ${body} end`),
    fc.tuple(tie('block'), tie('expression')).map(([body, e]) => `repeat ${body} until ${e}`),
    fc
      .tuple(tie('expression'), tie('block'), tie('expression'), tie('block'), tie('block'))
      .map(([e, one, f, two, three]) => `if ${e} then ${one} elseif ${f} then ${two} else ${three} end`),
    // The parser takes the bounds of a loop to be inside it, which they are not; so here they say nothing of KEYS.
    fc
      .tuple(name, tie('block'))
      .map(([v, body]) => `for ${v} = 1, f(function() return 2 end) do ${body} end`),
    fc.tuple(names, tie('block')).map(([all, body]) => `for ${all} in pairs({}) do ${body} end`),
    fc
      .tuple(fc.constantFrom('a', 'a.KEYS', 'a.b:KEYS'), parameters, tie('block'))
      .map(([what, all, body]) => `function ${what}(${all}) ${body} end`),
    fc
      .tuple(name, parameters, tie('block'))
      .map(([what, all, body]) => `local function ${what}(${all}) ${body} end`),
  ),
  block: fc
    .tuple(
      fc.array(fc.tuple(tie('statement'), fc.constantFrom('\n', '; ', ' ')), { maxLength: 4 }),
      fc.option(tie('expression')),
    )
    .map(([all, value]) => all.flat().join('') + (value === null ? '' : `return ${value}`)),
}));

describe('which KEYS is a local', () => {
  it('is what a parser says, in any program', () => {
    let withFindings = 0;
    fc.assert(
      fc.property(block, (program) => {
        const text = number(program);
        const expected = findByParsing(text);
        if (expected.length > 0) withFindings++;
        assert.deepEqual(
          findKeyUses(text).map((use) => use.index),
          expected,
        );
      }),
      { numRuns: 3000 },
    );
    assert.ok(withFindings > 500, `only ${withFindings} programs had anything to find`);
  });

  it('is what a parser says in our own scripts', () => {
    const lua = join(__dirname, '../../../lua');
    for (const file of readdirSync(lua, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.lua')) continue;
      const text = readFileSync(join(lua, file), 'utf8');
      const found = findKeyUses(text).map((use) => use.index);
      assert.deepEqual(
        found.sort((a, b) => a - b),
        findByParsing(text),
        file,
      );
    }
  });
});
