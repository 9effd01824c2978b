import assert from 'node:assert/strict';
import { checkKeysArity } from '../../../../src/language/rules/keysArity';
import type { Diagnostic, Fix } from '../../../../src/language/types';
import { placesOf, readMarked } from '../markedSnippet';

type Files = Readonly<Record<string, string>>;

/** Checks one of several marked files, and holds its findings against its marks. */
function check(path: string, files: Files, scripts: readonly string[] = Object.keys(files)): Diagnostic[] {
  const texts = new Map(Object.entries(files).map(([name, marked]) => [name, readMarked(marked)]));
  const own = texts.get(path);
  assert.ok(own);
  const found = checkKeysArity({ path, text: own.text, readFile: (file) => texts.get(file)?.text, scripts });
  assert.deepEqual(placesOf(found), own.places);
  return found;
}

const checkOne = (path: string, marked: string) => check(path, { [path]: marked });
const titles = (fixes: readonly Fix[] | undefined) => fixes?.map((fix) => fix.title);

describe('keys-arity', () => {
  const reported: Record<string, [path: string, marked: string]> = {
    'an index above the count': ['a/park-2.lua', 'return KEYS[1] .. KEYS[2] .. KEYS[«3»]'],
    'every wrong index of a file': [
      'park-1.lua',
      'local a = KEYS[«2»]\nlocal b = KEYS[«9»]\r\nreturn KEYS[«2»]',
    ],
    'the index 0': ['park-2.lua', 'return KEYS[«0»]'],
    'a negative index': ['park-2.lua', 'return KEYS[«-1»], KEYS[«- 2»]'],
    'any index of a script that declares no keys': ['park-0.lua', 'return KEYS[«1»]'],
    'an index in parentheses': ['park-3.lua', 'return KEYS[(«12»)], KEYS[((«-1»))]'],
    'an index among blanks and comments': ['park-2.lua', 'return KEYS --[[ the\nthird ]] [ -- key\n «3» ]'],
    'numbers in every notation': [
      'park-2.lua',
      'f(KEYS[«0x0C»], KEYS[«3.0»], KEYS[«1e1»], KEYS[«.5e1»], KEYS[«0x1p4»])',
    ],
    'numbers that no file name could declare': [
      'park-2.lua',
      'return KEYS[«1e999»], KEYS[«2.5»], KEYS[«.5»]',
    ],
    'a write, which no caller ever sees': ['park-1.lua', "KEYS[«2»] = 'x'"],
    'a key that is looked into': ['park-1.lua', 'return KEYS[«2»]:sub(1, 3)'],
    'an index in a text that is being typed': [
      'park-1.lua',
      'local function f(\nredis.call("GET", KEYS[«2»]\nif x then',
    ],
    'an index behind a string that was not closed': ['park-1.lua', "redis.call('GET, x)\nreturn KEYS[«2»]"],
    'an index behind a script of flags': ['park-1.lua', '#!lua flags=no-writes\nreturn KEYS[«2»]'],
    'a count with leading zeros': ['park-02.lua', 'return KEYS[2], KEYS[«3»]'],
    'the global behind the scope of a local': ['park-1.lua', 'do local KEYS = {} end return KEYS[«2»]'],
    'the global in the statement that hides it': ['park-1.lua', 'local KEYS = { KEYS[«2»] } return KEYS[2]'],
    'the global behind a function that hides it': [
      'park-1.lua',
      'f(function(a, KEYS) return KEYS[2] end, KEYS[«3»])',
    ],
    'the bounds of a loop that hides it': [
      'park-1.lua',
      'for KEYS = 1, KEYS[«2»] do f(KEYS[3]) end f(KEYS[«4»])',
    ],
    'the branch beside one that hides it': [
      'park-1.lua',
      'if a then local KEYS = b elseif KEYS[«2»] then else f(KEYS[«3»]) end',
    ],
    'the call of an anonymous function': [
      'park-1.lua',
      'return (function(...) return KEYS[«2»] end)(KEYS[«3»])',
    ],
  };
  for (const [what, [path, marked]] of Object.entries(reported)) {
    it(`reports ${what}`, () => void checkOne(path, marked));
  }

  const silent: Record<string, [path: string, text: string]> = {
    'indices from 1 to the count': ['park-3.lua', 'return KEYS[1], KEYS[2], KEYS[3], KEYS[0x3], KEYS[3.0]'],
    'a file without a count': ['park.lua', 'return KEYS[9], KEYS[0]'],
    'a file with a name of three parts': ['move-to-3.lua', 'return KEYS[9]'],
    'a file whose count is no number': ['park-x.lua', 'return KEYS[9]'],
    'a file of another kind': ['park-1.lua.txt', 'return KEYS[9]'],
    'a folder that looks like a script': ['park-1.lua/helper.lua', 'return KEYS[9]'],
    'an ordinary file that happens to end in a number': [
      'sha-256.lua',
      'local keys = {} return keys[300], Keys[0]',
    ],
    comments: ['park-1.lua', '-- KEYS[2]\n--[[ KEYS[3]\n]] --[==[ KEYS[4] ]] ]==] --KEYS[5]'],
    strings: ['park-1.lua', 'return "KEYS[2] \\" KEYS[3]", \'KEYS[4]\', [[KEYS[5] ]], [=[ KEYS[6] ]] ]=]'],
    'a string over two lines': ['park-1.lua', 'return "a \\\n KEYS[2]"'],
    'an index that is computed': ['park-1.lua', 'return KEYS[2 + 1], KEYS[i], KEYS[#KEYS], KEYS[1 .. 2]'],
    'an index that is a string': ['park-1.lua', 'return KEYS["2"], KEYS[ [[2]] ], KEYS[[2]]'],
    'an index that is still being typed': ['park-1.lua', 'return KEYS[2'],
    'a field of that name': ['park-1.lua', 'return job.KEYS[2], job:KEYS()[3]'],
    'a longer name': ['park-1.lua', 'return MYKEYS[2], KEYS2[3], _KEYS[4], KEYS_[5]'],
    ARGV: ['park-1.lua', 'return ARGV[2]'],
    'a local': ['park-1.lua', 'local KEYS = {} return KEYS[2]'],
    'a local declared among others': ['park-1.lua', 'local a, KEYS, b return KEYS[2]'],
    'a parameter': ['park-1.lua', 'local function f(KEYS, ARGV) return KEYS[2] end'],
    'a parameter of a method': [
      'park-1.lua',
      'function a.b:c(KEYS) return function() return KEYS[2] end end',
    ],
    'a local function': ['park-1.lua', 'local function KEYS() return KEYS[2] end'],
    'a loop variable': ['park-1.lua', 'for _, KEYS in pairs(all) do f(KEYS[2]) end'],
    'a local seen by the end of its loop': ['park-1.lua', 'repeat local KEYS = f() until KEYS[2] == nil'],
    'a local in a text that is being typed': ['park-1.lua', 'local function f(KEYS) return KEYS[2] end x ='],
  };
  for (const [what, [path, text]] of Object.entries(silent)) {
    it(`is silent about ${what}`, () => void checkOne(path, text));
  }

  describe('through includes', () => {
    it('reports a use in an include at the line of the script and at the use', () => {
      const files = {
        'lua/park-2.lua': '-- Parks.\n«--- @include "includes/read"»\nreturn read()',
        'lua/wide-3.lua': '--- @include "includes/read"\nreturn read()',
        'lua/includes/read.lua': 'local function read()\n  return KEYS[«3»]\nend',
      };
      const [atScript] = check('lua/park-2.lua', files);
      assert.equal(atScript?.message, 'KEYS[3] is always nil, read in read.lua: park-2.lua declares 2 keys.');
      assert.deepEqual(
        atScript?.related.map((place) => [place.path, place.range.start.line]),
        [['lua/includes/read.lua', 1]],
      );
      assert.deepEqual(titles(atScript?.fixes), ['Rename file to park-3.lua']);

      const [atUse] = check('lua/includes/read.lua', files);
      assert.equal(atUse?.message, 'KEYS[3] is always nil in park-2.lua, which declares 2 keys.');
      assert.deepEqual(
        atUse?.related.map((place) => [place.path, place.range.start.line]),
        [['lua/park-2.lua', 1]],
      );
      assert.deepEqual(titles(atUse?.fixes), ['Change to KEYS[2]']);
      assert.deepEqual(check('lua/wide-3.lua', files), []);
    });

    it('reports a use far down at the line of the script that leads to it first', () => {
      check('a-1.lua', {
        'a-1.lua': "--@include 'sub/fine'\n«--- @include 'sub/b' ;  »\n--- @include \"c\"\n",
        'sub/fine.lua': 'local ok = KEYS[1]',
        'sub/b.lua': '-- @include "../c.lua"',
        'c.lua': 'return KEYS[2]',
      });
    });

    it('names three of the scripts that an include breaks and counts the rest', () => {
      const scripts = ['a-1', 'b-1', 'c-2', 'd-1', 'e-9'].map((name) => [`${name}.lua`, '-- @include "x"']);
      const [found] = check('x.lua', { ...Object.fromEntries(scripts), 'x.lua': 'return KEYS[«5»]' });
      assert.equal(
        found?.message,
        'KEYS[5] is always nil in a-1.lua, b-1.lua, c-2.lua and 1 more, which declare fewer keys.',
      );
      assert.equal(found?.related.length, 4);
      assert.deepEqual(titles(found?.fixes), ['Change to KEYS[1]']);
    });

    it('reports 0 in an include whatever the scripts declare', () => {
      const [found] = check('x.lua', { 'a-9.lua': '-- @include "x"', 'x.lua': 'return KEYS[«0»]' });
      assert.equal(found?.message, 'KEYS[0] is always nil in a-9.lua: Lua counts keys from 1.');
      assert.deepEqual(titles(found?.fixes), ['Change to KEYS[1]']);
    });

    it('says one wrong index of an include once a line, with every place', () => {
      const [found] = check('a-1.lua', {
        'a-1.lua': '«-- @include "x"»',
        'x.lua': 'f(KEYS[2])\nf(KEYS[2])',
      });
      assert.equal(found?.related.length, 2);
    });

    it('passes over an include that does not exist', () => {
      check('a-1.lua', {
        'a-1.lua': '-- @include "gone"\n«-- @include "x"»\n',
        'x.lua': 'return KEYS[2]',
      });
    });

    it('is silent about an include that no script takes in', () => {
      const files = { 'a-1.lua': '-- @include "y"', 'y.lua': '', 'x.lua': 'return KEYS[2]' };
      check('x.lua', files);
      check('x.lua', { 'x.lua': 'return KEYS[2]' }, []);
    });

    const ignored = {
      'an indented line': ' -- @include "x"',
      'four hyphens': '---- @include "x"',
      'one hyphen': '- @include "x"',
      'a path without quotes': '-- @include x',
      'quotes that differ': '-- @include "x\'',
      'text behind the path': '-- @include "x" of course',
    };
    for (const [what, line] of Object.entries(ignored)) {
      it(`takes ${what} for a comment, as the loader does`, () => {
        check('a-1.lua', { 'a-1.lua': `${line}\n`, 'x.lua': 'return KEYS[2]' });
      });
    }

    it('reports a script that is an include as well for both', () => {
      const files = { 'a-2.lua': '«-- @include "b-3"»', 'b-3.lua': 'f(KEYS[«3»], KEYS[«4»])' };
      const [forOther, forItself] = check('b-3.lua', files);
      assert.match(forOther?.message ?? '', /in a-2\.lua/);
      assert.match(forItself?.message ?? '', /b-3\.lua declares 3 keys/);
      check('a-2.lua', { ...files, 'a-2.lua': '«««-- @include "b-3"»', 'b-3.lua': 'f(KEYS[3])' });
    });

    it('survives a script that includes itself', () => {
      check('a-1.lua', { 'a-1.lua': '-- @include "a-1"\nreturn KEYS[«2»]' });
    });
  });

  describe('fixes', () => {
    it('offers the name that fits every use, includes and all, then the nearest index', () => {
      const [found] = check('lua/park-2.lua', {
        'lua/park-2.lua': '«-- @include "x"»\nreturn KEYS[«3»]',
        'lua/x.lua': 'return KEYS[7]',
      }).slice(1);
      assert.deepEqual(found?.fixes, [
        {
          kind: 'renameFile',
          title: 'Rename file to park-7.lua',
          from: 'lua/park-2.lua',
          to: 'lua/park-7.lua',
        },
        { kind: 'replace', title: 'Change to KEYS[2]', range: found?.range, text: '2' },
      ]);
    });

    it('offers only the first key for an index below 1', () => {
      const [zero, above] = checkOne('park-2.lua', 'return KEYS[«0»], KEYS[«3»]');
      assert.deepEqual(titles(zero?.fixes), ['Change to KEYS[1]']);
      assert.deepEqual(titles(above?.fixes), ['Rename file to park-3.lua', 'Change to KEYS[2]']);
    });

    it('offers no index where the script has no keys', () => {
      const [zero, one] = checkOne('park-0.lua', 'return KEYS[«0»], KEYS[«1»]');
      assert.deepEqual(titles(zero?.fixes), []);
      assert.deepEqual(titles(one?.fixes), ['Rename file to park-1.lua']);
    });

    it('offers no name for an index that is never a key', () => {
      const [fraction] = checkOne('park-2.lua', 'return KEYS[«2.5»]');
      assert.deepEqual(titles(fraction?.fixes), ['Change to KEYS[2]']);
    });
  });

  it('says how many keys there are', () => {
    const message = (path: string) => checkOne(path, 'return KEYS[«5»]')[0]?.message;
    assert.equal(message('a/park-0.lua'), 'KEYS[5] is always nil: park-0.lua declares no keys.');
    assert.equal(message('a/park-1.lua'), 'KEYS[5] is always nil: park-1.lua declares 1 key.');
    assert.equal(message('a/park-4.lua'), 'KEYS[5] is always nil: park-4.lua declares 4 keys.');
  });
});
