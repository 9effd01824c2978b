/** Holds the map of docs/ARCHITECTURE.md: which way imports point, and what may stand where. */
import assert from 'node:assert/strict';
import { findCycle, listFiles, readImports, readSource, withoutComments } from '../support/imports';

const LAYERS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  keys: ['base'],
  scripts: ['base', 'keys'],
  executor: ['base', 'keys', 'scripts'],
  queue: ['base', 'keys', 'scripts', 'executor'],
  language: ['base', 'keys', 'scripts'],
  debugger: ['base', 'keys', 'scripts', 'executor'],
  messages: ['base', 'keys'],
  editor: ['base', 'keys', 'scripts', 'executor', 'queue', 'language', 'debugger', 'messages'],
};

/** Packages of the bundle, and the one folder that speaks to each. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  vscode: ['editor'],
  ioredis: ['executor'],
  '@msgpack/msgpack': ['executor', 'queue', 'scripts'],
  luaparse: ['language'],
};

const MAX_LINES = 400;

const sources = listFiles('src', /\.ts$/);
const tests = listFiles('test', /\.ts$/);
const imports = sources.flatMap((file) => readImports(file));
const layerOf = (file: string) => file.split('/')[1] ?? '';
/** The feature's folder under src/editor, `''` for a file directly in src/editor. */
const featureOf = (file: string) => (file.split('/').length > 3 ? (file.split('/')[2] ?? '') : '');

/** Fails with one line for each offence, and what to do about it. */
function assertNone(offences: readonly string[], lesson: string): void {
  assert.equal(offences.length, 0, `${lesson}\n  ${offences.join('\n  ')}`);
}

describe('the architecture', () => {
  it('has sources to look at', () => assert.ok(imports.length > 10));

  it('gives every source a layer', () => {
    assertNone(
      sources.filter((file) => !(layerOf(file) in LAYERS)),
      `Every source lives in one of: ${Object.keys(LAYERS).join(', ')}. Add a row here for a new one.`,
    );
  });

  it('lets imports point down only', () => {
    const upward = imports.filter(({ from, to, isOwn }) => {
      if (!isOwn) return false;
      if (!to.startsWith('src/')) return !to.endsWith('.json');
      return layerOf(to) !== layerOf(from) && !LAYERS[layerOf(from)]?.includes(layerOf(to));
    });
    assertNone(
      upward.map(
        ({ from, to }) => `${from} imports ${to}; ${layerOf(from)} may use: ${LAYERS[layerOf(from)]}`,
      ),
      'A lower layer must not know a higher one: move the code down, or hand it in as a parameter.',
    );
  });

  it('has no import cycles', () => {
    const cycle = findCycle(imports);
    assert.equal(cycle, undefined, `Move what both need into a third file: ${cycle?.join(' → ')}`);
  });

  it('speaks to each package from one folder only', () => {
    const strays = imports.filter(({ from, to, isOwn }) => {
      if (isOwn || to.startsWith('node:')) return false;
      return !PACKAGES[to]?.includes(layerOf(from));
    });
    assertNone(
      strays.map(({ from, to }) => `${from} imports ${to}`),
      'A package has one room (vscode: editor, ioredis: executor …). Wrap what you need there and import the wrapper.',
    );
  });

  it('keeps features apart', () => {
    const meetings = imports.filter(({ from, to, isOwn }) => {
      if (!isOwn || layerOf(from) !== 'editor' || layerOf(to) !== 'editor') return false;
      const [mine, other] = [featureOf(from), featureOf(to)];
      if (mine === '') return other !== '' && other !== 'platform' && !to.endsWith('/index.ts');
      return to === 'src/editor/extension.ts' || (other !== mine && other !== 'platform' && other !== '');
    });
    assertNone(
      meetings.map(({ from, to }) => `${from} imports ${to}`),
      'Two features meet through src/queue, src/editor/platform or a command id; extension.ts knows their index.ts only.',
    );
  });

  it('has no barrels but the door of a feature', () => {
    const isDoor = (file: string) => /^src\/editor\/[^/]+\/index\.ts$/.test(file);
    const barrels = imports
      .filter(({ from, isReExport }) => isReExport && !isDoor(from))
      .map(({ from }) => from);
    const misplaced = sources.filter((file) => file.endsWith('/index.ts') && !isDoor(file));
    assertNone(
      [...new Set([...barrels, ...misplaced])],
      'Import from the file that defines a thing; re-exports hide where it lives.',
    );
  });

  it('joins and splits keys in src/keys only', () => {
    const offences: string[] = [];
    for (const file of sources.filter((name) => layerOf(name) !== 'keys')) {
      withoutComments(readSource(file))
        .split('\n')
        .forEach((line, index) => {
          const splits = /\.split\((['"`]):\1|\.join\((['"`]):\2\)/.test(line);
          const joins = /\$\{[^}]*(prefix|queue|base|jobId|key)[^}]*\}:/i.test(line) && !/[:}] /.test(line);
          if (splits || joins) offences.push(`${file}:${index + 1}: ${line.trim()}`);
        });
    }
    assertNone(offences, 'Prefixes and job ids may hold colons: build and read keys with src/keys/keys.ts.');
  });

  it('has no default exports', () => {
    assertNone(
      [...sources, ...tests].filter((file) => /^export default/m.test(withoutComments(readSource(file)))),
      'A default export has a new name in every file that imports it: export by name.',
    );
  });

  it('silences no check and skips no test', () => {
    // Spelt in two halves, so that this file does not offend itself.
    const silencers = new RegExp(
      [
        'biome-' + 'ignore',
        '@ts-' + '(ignore|nocheck|expect-error)',
        '\\b(it|describe)\\.' + '(skip|only)',
      ].join('|'),
    );
    assertNone(
      [...sources, ...tests].filter((file) => silencers.test(readSource(file))),
      'Repair what the check complains about, or delete the test.',
    );
  });

  it('keeps vscode out of tests that do not run in its host', () => {
    const strays = tests.filter((file) => !file.startsWith('test/editor/'));
    assertNone(
      strays.filter((file) => readImports(file).some(({ to, isTypeOnly }) => to === 'vscode' && !isTypeOnly)),
      'Only test/editor runs inside the extension host.',
    );
  });

  it(`keeps files under ${MAX_LINES} lines`, () => {
    const files = ['src', 'lua', 'media', 'test'].flatMap((folder) =>
      listFiles(folder, /\.(ts|js|cjs|lua|css|svg|html|md)$/),
    );
    assertNone(
      files
        .filter((file) => !file.includes('.generated.'))
        .map((file) => [file, readSource(file).split('\n').length] as const)
        .filter(([, lines]) => lines > MAX_LINES)
        .map(([file, lines]) => `${file}: ${lines} lines`),
      'A file that long holds two things: split it where the second begins.',
    );
  });
});

describe('the reader of imports', () => {
  const targets = (source: string) => readImports('src/queue/x.ts', source).map(({ to }) => to);

  it('sees every form of import, over several lines too', () => {
    const source = `import a from 'a';\nimport {\n  b,\n  type c,\n} from "b";\nimport * as d from 'd';\nimport 'e';
export * from 'f';\nexport { g } from 'g';\nimport type { H } from 'h';\nconst i = await import('i');\nconst j = require("j");`;
    assert.deepEqual(targets(source), ['a', 'b', 'd', 'e', 'f', 'g', 'h', 'i', 'j']);
  });

  it('sees no import in a comment', () => {
    assert.deepEqual(targets(`// import a from 'a';\n/* import b from 'b'; */\nconst url = 'http://x';`), []);
  });

  it('finds a cycle of value imports and forgives one of types', () => {
    const edge = (from: string, to: string, isTypeOnly = false) => ({
      ...{ from, to, isTypeOnly, isOwn: true, isReExport: false },
    });
    assert.deepEqual(findCycle([edge('a', 'b'), edge('b', 'c'), edge('c', 'a')]), ['a', 'b', 'c', 'a']);
    assert.equal(findCycle([edge('a', 'b'), edge('b', 'a', true)]), undefined);
  });
});
