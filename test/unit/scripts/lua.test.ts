/** Holds the headers, the bodies and the registry of `lua/` together. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import luaparse from 'luaparse';
import { findScriptCode } from '../../../src/scripts/codes';
import { describeScripts } from '../../../src/scripts/describe';
import { flattenScript, parseIncludes, resolveInclude } from '../../../src/scripts/includes';
import { createScriptLibrary } from '../../../src/scripts/library';
import { SCRIPTS } from '../../../src/scripts/registry.generated';

const LUA = join(__dirname, '../../../lua');
const readLua = (path: string) => readFileSync(join(LUA, path), 'utf8');
const INCLUDES = readdirSync(join(LUA, 'includes')).map((name) => `includes/${name}`);
const GLOBALS = new Set([
  ...[
    'KEYS',
    'ARGV',
    'redis',
    'cjson',
    'cmsgpack',
    'string',
    'table',
    'math',
    'tostring',
    'type',
    'tonumber',
    'pcall',
    'ipairs',
    'unpack',
  ],
]);

const parse = (text: string) =>
  luaparse.parse(text, { luaVersion: '5.1', scope: true, comments: false }) as luaparse.Chunk & {
    globals: luaparse.Identifier[];
  };

/** The text without comments, so that a pattern finds code only. */
const codeOf = (text: string) => text.replace(/--\[\[[\s\S]*?\]\]/g, '').replace(/--.*$/gm, '');
const numbersOf = (pattern: RegExp, text: string) =>
  [...new Set([...text.matchAll(pattern)].map((match) => Number(match[1])))].sort((a, b) => a - b);
/** The numbers of the entries a script uses. Older runtimes send some that it no longer needs: these say "unused". */
const usedOf = (entries: readonly string[]) =>
  entries.flatMap((entry, i) => (entry.endsWith(', unused') ? [] : [i + 1]));

describe('the scripts of lua/', () => {
  it('are what the registry says, which was generated from their headers', () => {
    assert.deepEqual(SCRIPTS, describeScripts(LUA), 'run `npm run generate`');
  });

  for (const script of SCRIPTS) {
    describe(script.file, () => {
      const flat = flattenScript(script.file, (path) => readLua(path));
      const code = codeOf(flat.text);

      it('uses exactly the keys that its name counts and its header describes', () => {
        assert.deepEqual(numbersOf(/\bKEYS\[(\d+)\]/g, code), usedOf(script.keys));
        assert.equal((code.match(/\bKEYS\b/g) ?? []).length, (code.match(/\bKEYS\[\d+\]/g) ?? []).length);
      });

      it('uses exactly the arguments that its header describes', () => {
        assert.deepEqual(numbersOf(/\bARGV\[(\d+)\]/g, code), usedOf(script.args));
        assert.equal((code.match(/\bARGV\b/g) ?? []).length, (code.match(/\bARGV\[\d+\]/g) ?? []).length);
      });

      it('returns the codes that its header lists, all of the closed set', () => {
        const returned = numbersOf(/\breturn (-\d+)/g, code);
        assert.deepEqual(
          returned,
          [...script.codes].sort((a, b) => a - b),
        );
        for (const each of script.codes) assert.ok(findScriptCode(each));
      });

      it('adds the events that its header lists', () => {
        const events = [...code.matchAll(/'event', '([a-z-]+)'/g)].map((match) => match[1]);
        assert.deepEqual([...new Set(events)].sort(), [...script.events].sort());
        // The pattern above sees every XADD.
        assert.equal(events.length, (code.match(/'XADD'/g) ?? []).length);
      });

      it('knows only the globals that Redis gives, and defines each function before it is used', () => {
        const unknown = parse(flat.text)
          .globals.map((global) => global.name)
          .filter((name) => !GLOBALS.has(name));
        assert.deepEqual(unknown, []);
      });

      it('includes only what it uses', () => {
        for (const { path } of parseIncludes(readLua(script.file))) {
          assert.match(codeOf(readLua(script.file)), new RegExp(`\\b${path.replace(/^.*\//, '')}\\(`));
        }
      });

      it('is loaded with its lines and a hash of its text', () => {
        const loaded = createScriptLibrary(LUA).load(script.file.replace(/\.lua$/, ''));
        assert.equal(loaded.text, flat.text);
        assert.match(loaded.sha, /^[0-9a-f]{40}$/);
        assert.equal(loaded.keyCount, script.keyCount);
        assert.deepEqual(loaded.lines, flat.lines);
      });
    });
  }

  for (const file of INCLUDES) {
    it(`${file} is one local function of that name, which takes what it needs and includes what it calls`, () => {
      const text = readLua(file);
      const name = file.replace(/^includes\/|\.lua$/g, '');
      const functions = parse(text).body;
      assert.deepEqual(
        functions.map((node) => node.type === 'FunctionDeclaration' && node.isLocal && node.identifier),
        functions.slice(0, 1).map((node) => node.type === 'FunctionDeclaration' && node.identifier),
      );
      assert.match(text, new RegExp(`^local function ${name}\\(`, 'm'));
      assert.doesNotMatch(codeOf(text), /\b(KEYS|ARGV)\b/);
      const included = parseIncludes(text).map(({ path }) =>
        resolveInclude(file, path).replace(/^.*\/|\.lua$/g, ''),
      );
      const called = parse(text)
        .globals.map((global) => global.name)
        .filter((global) => !GLOBALS.has(global));
      assert.deepEqual(included.sort(), [...new Set(called)].sort());
    });
  }

  it('use every include', () => {
    const used = new Set(SCRIPTS.flatMap(({ file }) => flattenScript(file, readLua).includes));
    assert.deepEqual(
      INCLUDES.filter((file) => !used.has(file)),
      [],
    );
  });
});

describe('the script library', () => {
  it('says that there is no script of an id, whatever the id is', () => {
    const library = createScriptLibrary(LUA);
    for (const id of ['gone-3', 'promote', 'includes/addToList', '../package', '../lua/promote-9', '']) {
      assert.throws(() => library.load(id), new RegExp(`There is no script ${id}\\.`));
    }
  });

  it('gives the same script again without reading it again', () => {
    const library = createScriptLibrary(LUA);
    assert.equal(library.load('promote-9'), library.load('promote-9'));
  });

  it('reads nothing before a script is asked for', () => {
    assert.doesNotThrow(() => createScriptLibrary('/nowhere'));
    assert.throws(() => createScriptLibrary('/nowhere').load('promote-9'), /no script promote-9/);
  });
});
