/**
 * `keys-arity`: `x-3.lua` is called with 3 keys, so `KEYS[4]`, `KEYS[0]` and `KEYS[-1]` are always nil.
 *
 * A use in an included file counts for every script that takes the file in. It is reported twice, because either
 * place may be the wrong one: at the use, naming the scripts it breaks, and at the line of the script that leads to it.
 */
import { type PlacedKeyUse, rememberFacts } from '../facts';
import { type IncludedFile, readScriptTree, type ScriptTree } from '../includeGraph';
import { getBaseName, parseScriptName, type ScriptName, withKeyCount } from '../scriptName';
import type { CheckInput, Diagnostic, Fix, RelatedPlace } from '../types';

const CODE = 'keys-arity';
const COUNTS_FROM_1 = 'Lua counts keys from 1';
/** A message lists so many scripts by name, and a finding so many places; the rest is counted. */
const NAMED_SCRIPTS = 3;
const SHOWN_PLACES = 10;

/** A script with the number of keys its name declares. */
interface CountedScript extends ScriptName {
  readonly tree: ScriptTree;
}

/** The findings of this rule in one file, as a script and as an include, in the order of the text. */
export function checkKeysArity(given: CheckInput): Diagnostic[] {
  // An include is shared by many scripts, and read once for all of them.
  const input = { ...given, facts: given.facts ?? rememberFacts() };
  const self = readCounted(input.path, input);
  const includers = (input.scripts ?? [])
    .filter((path) => path !== input.path)
    .map((path) => readCounted(path, input))
    .filter((script) => script?.tree.included.some((file) => file.path === input.path))
    .filter((script) => script !== undefined);
  const facts =
    self?.tree.facts ?? includers[0]?.tree.included.find((file) => file.path === input.path)?.facts;

  const found = (facts?.keyUses ?? []).flatMap((use) => {
    if (self && !isKey(use, self.keyCount)) return [reportInScript(use, self)];
    const broken = includers.filter((script) => !isKey(use, script.keyCount));
    return broken.length > 0 ? [reportInInclude(use, broken, input.path)] : [];
  });
  if (self) found.push(...reportIncludes(self));
  return found.sort(
    (a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
  );
}

function readCounted(path: string, input: CheckInput): CountedScript | undefined {
  const name = parseScriptName(path);
  const tree = name && readScriptTree(path, input);
  return name && tree && { ...name, tree };
}

function isKey(use: PlacedKeyUse, keyCount: number): boolean {
  return use.index >= 1 && use.index <= keyCount;
}

function reportInScript(use: PlacedKeyUse, script: CountedScript): Diagnostic {
  return {
    code: CODE,
    severity: 'error',
    message: `${describeUse(use)}: ${describeCount(use, script)}.`,
    range: use.range,
    related: [],
    fixes: [...renameFixes(use.index, script), ...changeFixes(use, script.keyCount)],
  };
}

function reportInInclude(use: PlacedKeyUse, broken: readonly CountedScript[], path: string): Diagnostic {
  const names = broken.slice(0, NAMED_SCRIPTS).map((script) => getBaseName(script.tree.path));
  const rest = broken.length - names.length;
  const all = rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
  const [only] = broken.length === 1 ? broken : [];
  const declared = only ? `which declares ${countKeys(only.keyCount)}` : 'which declare fewer keys';
  const reason = use.index < 1 ? `: ${COUNTS_FROM_1}` : `, ${declared}`;
  return {
    code: CODE,
    severity: 'error',
    message: `${describeUse(use)} in ${all}${reason}.`,
    range: use.range,
    related: broken.slice(0, SHOWN_PLACES).flatMap((script) => describeIncluder(path, script)),
    fixes: changeFixes(use, Math.min(...broken.map((script) => script.keyCount))),
  };
}

function describeIncluder(path: string, script: CountedScript): RelatedPlace[] {
  const file = script.tree.included.find((one) => one.path === path);
  if (!file) return [];
  const message = `${getBaseName(script.tree.path)} includes this file and declares ${countKeys(script.keyCount)}.`;
  return [{ path: script.tree.path, range: file.through.range, message }];
}

/** One finding for each wrong index that an include line brings in, however often it is used behind it. */
function reportIncludes(script: CountedScript): Diagnostic[] {
  const groups = new Map<string, { file: IncludedFile; use: PlacedKeyUse; places: RelatedPlace[] }>();
  for (const file of script.tree.included) {
    for (const use of file.facts.keyUses) {
      if (isKey(use, script.keyCount)) continue;
      const key = `${file.through.range.start.line} ${use.index}`;
      const group = groups.get(key) ?? { file, use, places: [] };
      groups.set(key, group);
      const place = { path: file.path, range: use.range, message: `KEYS[${use.index}] is read here.` };
      if (group.places.length < SHOWN_PLACES) group.places.push(place);
    }
  }
  return [...groups.values()].map(({ file, use, places }) => ({
    code: CODE,
    severity: 'error' as const,
    message: `${describeUse(use)}, read in ${getBaseName(file.path)}: ${describeCount(use, script)}.`,
    range: file.through.range,
    related: places,
    fixes: renameFixes(use.index, script),
  }));
}

function describeUse(use: PlacedKeyUse): string {
  return `KEYS[${use.index}] is always nil`;
}

function describeCount(use: PlacedKeyUse, script: CountedScript): string {
  if (use.index < 1) return COUNTS_FROM_1;
  return `${getBaseName(script.tree.path)} declares ${countKeys(script.keyCount)}`;
}

function countKeys(count: number): string {
  if (count === 0) return 'no keys';
  return count === 1 ? '1 key' : `${count} keys`;
}

/** The name that all uses of the script and its includes fit, when it is a higher count that is wanted. */
function renameFixes(index: number, script: CountedScript): Fix[] {
  if (index <= script.keyCount) return [];
  const files = [script.tree.facts, ...script.tree.included.map((file) => file.facts)];
  let highest = 0;
  for (const file of files) {
    for (const use of file.keyUses) {
      if (Number.isSafeInteger(use.index)) highest = Math.max(highest, use.index);
    }
  }
  // A fraction above the count is no reason for another name: it is no key under any name.
  if (highest <= script.keyCount) return [];
  const from = script.tree.path;
  const to = withKeyCount(from, highest);
  return [{ kind: 'renameFile', title: `Rename file to ${getBaseName(to)}`, from, to }];
}

/** The nearest index there is; none where the script has no keys. */
function changeFixes(use: PlacedKeyUse, keyCount: number): Fix[] {
  if (keyCount < 1) return [];
  const nearest = use.index < 1 ? 1 : keyCount;
  return [{ kind: 'replace', title: `Change to KEYS[${nearest}]`, range: use.range, text: `${nearest}` }];
}
