import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkFile, RULES } from '../../../src/language/diagnostics';
import { parseScriptName } from '../../../src/language/scriptName';
import type { Diagnostic } from '../../../src/language/types';

const ROOT = join(__dirname, '../../..');
const LUA = join(ROOT, 'lua');
const FILES = readdirSync(LUA, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.lua'))
  .sort();
const SCRIPTS = FILES.filter((path) => parseScriptName(path));

/** Checks a file of `lua/`, with the texts of some replaced. */
function check(path: string, replaced: Readonly<Record<string, string>> = {}): Diagnostic[] {
  const readFile = (file: string) => {
    const path = join(LUA, file);
    return replaced[file] ?? (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
  };
  return checkFile({ path, text: readFile(path) ?? '', readFile, scripts: SCRIPTS });
}

describe('the checks on our own scripts', () => {
  it('find nothing', () => {
    assert.ok(SCRIPTS.length >= 6 && FILES.length > SCRIPTS.length);
    for (const file of FILES) assert.deepEqual(check(file), [], file);
  });

  it('find a key too many planted at the end of any script', () => {
    for (const file of SCRIPTS) {
      const text = readFileSync(join(LUA, file), 'utf8');
      const wrong = (parseScriptName(file)?.keyCount ?? 0) + 1;
      const planted = `local planted = KEYS[${wrong}]\n${text}`;
      const found = check(file, { [file]: planted });
      assert.deepEqual(
        found.map((one) => [one.code, one.range.start]),
        [['keys-arity', { line: 0, character: 'local planted = KEYS['.length }]],
        file,
      );
    }
  });

  it('find a key planted in an include, in it and in every script that takes it in', () => {
    const include = FILES.find((path) => path === 'includes/addBaseMarker.lua');
    assert.ok(include);
    const replaced = { [include]: 'local function addBaseMarker()\n  return KEYS[100]\nend\n' };
    assert.equal(check(include, replaced).length, 1);
    const broken = SCRIPTS.filter((file) => check(file, replaced).length > 0);
    assert.ok(broken.includes('promote-9.lua'), broken.join());
  });
});

describe('the table of rules', () => {
  it('has a page of documentation for every rule, and a rule for every page', () => {
    const pages = readdirSync(join(ROOT, 'docs/rules')).filter((page) => page !== 'README.md');
    assert.deepEqual(pages.sort(), RULES.map((rule) => `${rule.code}.md`).sort());
  });
});
