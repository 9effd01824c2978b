/** Reads the imports of the sources, for the tests that hold the architecture. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from './paths';

/** One import or re-export. */
export interface Import {
  /** The importing file, from the root, with `/`. */
  readonly from: string;
  /** The imported file the same way, or the name of a package. */
  readonly to: string;
  /** False for a package. */
  readonly isOwn: boolean;
  readonly isTypeOnly: boolean;
  /** `export … from`. */
  readonly isReExport: boolean;
}

/** Every file below a folder whose name matches, from the root, with `/`. Empty where there is no such folder. */
export function listFiles(folder: string, pattern: RegExp): string[] {
  let names: string[];
  try {
    names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
  return names
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((file) => pattern.test(file))
    .sort();
}

/** The text of a file named from the root. */
export const readSource = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The source without comments; strings stay, for they hold what is imported. Lines keep their numbers. */
export const withoutComments = (source: string) =>
  source.replace(/('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (all, text) =>
    text === undefined ? all.replace(/[^\n]/g, '') : all,
  );

const STATEMENT = /^\s*(import|export)\s+(type\s+)?(?:[\w*\s{},$]+?\s+from\s+)?(['"])([^'"]+)\3/gm;
const CALL = /\b(?:import|require)\(\s*(['"])([^'"]+)\1\s*\)/g;

/** The imports of one TypeScript file. */
export function readImports(file: string, source = readSource(file)): Import[] {
  const text = withoutComments(source);
  const found: Import[] = [];
  const add = (specifier: string, isTypeOnly: boolean, isReExport: boolean) => {
    const isOwn = specifier.startsWith('.');
    const to = isOwn ? resolveOwn(posix.join(posix.dirname(file), specifier)) : specifier;
    found.push({ from: file, to, isOwn, isTypeOnly, isReExport });
  };
  for (const [, keyword, type, , specifier] of text.matchAll(STATEMENT)) {
    if (specifier) add(specifier, type !== undefined, keyword === 'export');
  }
  for (const [, , specifier] of text.matchAll(CALL)) if (specifier) add(specifier, false, false);
  return found;
}

const sources = new Set([...listFiles('src', /\.ts$/), ...listFiles('test', /\.ts$/)]);

function resolveOwn(path: string): string {
  return [path, `${path}.ts`, `${path}/index.ts`].find((candidate) => sources.has(candidate)) ?? path;
}

/** The first cycle among value imports, as the files on it, or `undefined`. */
export function findCycle(imports: readonly Import[]): string[] | undefined {
  const next = new Map<string, string[]>();
  for (const { from, to, isOwn, isTypeOnly } of imports) {
    if (isOwn && !isTypeOnly) next.set(from, [...(next.get(from) ?? []), to]);
  }
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    const start = path.indexOf(file);
    if (start >= 0) return [...path.slice(start), file];
    if (done.has(file)) return undefined;
    for (const target of next.get(file) ?? []) {
      const cycle = visit(target, [...path, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of next.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}
