/** Turns the scripts of a folder into what the registry holds. Strict: a header that breaks the form is an error. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseHeader } from './header';
import { parseScriptFile } from './scriptFile';
import type { ScriptDescription } from './types';

/**
 * What a script says about itself.
 * @param file its path inside the `lua` folder.
 * @throws Error with file and line when the name or the header breaks the form, or they disagree.
 */
export function describeScript(file: string, text: string): ScriptDescription {
  const name = parseScriptFile(file);
  if (!name) throw new Error(`${file}: a script is named <name>-<number of keys>.lua.`);
  const header = parseHeader(text);
  if (!header) throw new Error(`${file}:1: the script does not open with a header.`);
  const problem = header.problems[0];
  if (problem) throw new Error(`${file}:${problem.line}: ${problem.message}`);

  const { purpose, keys, args, steps, reply, codes, events } = header;
  const refuse = (what: string) => new Error(`${file}:${header.firstLine}: the header ${what}.`);
  if (purpose === '') throw refuse('has no purpose');
  if (keys.length !== name.keyCount) {
    throw refuse(`describes ${keys.length} keys, and the name says ${name.keyCount}`);
  }
  if (steps.length === 0) throw refuse('has no steps');
  if (!reply) throw refuse('has no line "Reply:"');
  if (!codes) throw refuse('has no line "Codes:"');
  if (!events) throw refuse('has no line "Events:"');
  return {
    name: name.name,
    file,
    keyCount: name.keyCount,
    isTool: name.isTool,
    purpose,
    keys: keys.map((k) => k.text),
    args: args.map((a) => a.text),
    steps: steps.map((s) => s.text),
    reply,
    codes,
    events,
  };
}

/** The paths of all scripts of a `lua` folder, the protocol's first, each group by name. */
function listScriptFiles(luaDirectory: string): string[] {
  const list = (folder: string, prefix: string) =>
    readdirSync(folder)
      .map((entry) => `${prefix}${entry}`)
      .filter((path) => parseScriptFile(path))
      .sort();
  return [...list(luaDirectory, ''), ...list(join(luaDirectory, 'tools'), 'tools/')];
}

/** All scripts of a `lua` folder. @throws Error like {@link describeScript}. */
export function describeScripts(luaDirectory: string): ScriptDescription[] {
  return listScriptFiles(luaDirectory).map((file) =>
    describeScript(file, readFileSync(join(luaDirectory, file), 'utf8')),
  );
}
