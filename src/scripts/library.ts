/** Reads the scripts of the `lua` folder when they are first asked for. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flattenScript } from './includes';
import { parseScriptFile } from './scriptFile';
import type { LoadedScript, ScriptLibrary } from './types';

/**
 * The scripts of a folder. Nothing is read before the first `load`; each file is read at most once.
 * @param luaDirectory the `lua` folder of the extension, as a path of the file system.
 */
export function createScriptLibrary(luaDirectory: string): ScriptLibrary {
  const texts = new Map<string, string | undefined>();
  const scripts = new Map<string, LoadedScript>();

  const readFile = (path: string): string | undefined => {
    if (!texts.has(path)) texts.set(path, readText(join(luaDirectory, path)));
    return texts.get(path);
  };

  return {
    load(id) {
      const known = scripts.get(id);
      if (known) return known;
      const name = parseScriptFile(`${id}.lua`);
      if (!name || readFile(`${id}.lua`) === undefined) throw new Error(`There is no script ${id}.`);
      const { text, lines } = flattenScript(`${id}.lua`, readFile);
      const sha = createHash('sha1').update(text, 'utf8').digest('hex');
      const script = { id, keyCount: name.keyCount, text, sha, lines };
      scripts.set(id, script);
      return script;
    },
  };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
