/**
 * Takes includes into a script. Text in, text out: the caller reads the files, so the same functions serve the
 * extension's own scripts and whatever an author has open in an editor.
 *
 * An include is a line of its own, at column 0: two or three hyphens, `@include`, a path in quotes. The path is
 * relative to the file that includes; `.lua` is added where it has no ending. A file is put in place once, where it
 * is first asked for, and the later lines that ask for it become empty. Every line of the result keeps its origin.
 */

/** A line that takes in another file. */
export interface IncludeLine {
  /** The path as it is written. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
}

/** Where a line was written: a path as given to `readFile`, and a 1-based line. */
export interface Origin {
  readonly file: string;
  readonly line: number;
}

/** A script with its includes put in place. */
export interface FlattenedScript {
  readonly text: string;
  /** Origin of line i+1 of `text`. */
  readonly lines: readonly Origin[];
  /** Every file taken in, in the order of their text; the script itself is not among them. */
  readonly includes: readonly string[];
}

/** Gives a file's text, or `undefined` when there is none. */
export type ReadFile = (path: string) => string | undefined;

const INCLUDE = /^-{2,3}[ \t]*@include[ \t]+(["'])(.+?)\1[ \t;]*$/;
const LINE_END = /\r?\n/;

/** An include that cannot be put in place: there is no such file, or it includes itself in the end. */
export class IncludeError extends Error {
  constructor(
    message: string,
    readonly kind: 'missing' | 'cycle',
    /** The file with the offending include line. */
    readonly file: string,
    /** 1-based line of the include in `file`. */
    readonly line: number,
    /** The file asked for, as a resolved path. */
    readonly include: string,
  ) {
    super(message);
    this.name = 'IncludeError';
  }
  static is(error: unknown): error is IncludeError {
    return error instanceof IncludeError;
  }
}

/** Reads one line: the path it includes, or `undefined` when it is no include. */
function parseIncludeLine(line: string): string | undefined {
  return INCLUDE.exec(line)?.[2];
}

/** All include lines of a text, in order. */
export function parseIncludes(text: string): IncludeLine[] {
  return text.split(LINE_END).flatMap((content, i) => {
    const path = parseIncludeLine(content);
    return path === undefined ? [] : [{ path, line: i + 1 }];
  });
}

/** The file that an include of `fromFile` means. Paths use `/`; `..` may lead out of the folder. */
export function resolveInclude(fromFile: string, path: string): string {
  const isAbsolute = path.startsWith('/');
  const parts = isAbsolute ? [] : fromFile.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    const last = parts[parts.length - 1];
    if (part === '..' && last !== undefined && last !== '..' && last !== '') parts.pop();
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  const joined = parts.join('/');
  return /\.[^./]+$/.test(joined) ? joined : `${joined}.lua`;
}

/**
 * Puts the includes of `file` in place, those of includes too.
 * @throws IncludeError for a missing or cyclic include, and for `file` itself when it is missing (line 0).
 */
export function flattenScript(file: string, readFile: ReadFile): FlattenedScript {
  const text = readFile(file);
  if (text === undefined) throw new IncludeError(`There is no file ${file}.`, 'missing', file, 0, file);

  const output: string[] = [];
  const lines: Origin[] = [];
  const taken: string[] = [];
  const open: string[] = [file];

  const append = (content: string, origin: Origin) => {
    output.push(content);
    lines.push(origin);
  };
  const take = (include: string, at: Origin) => {
    if (open.includes(include)) {
      const chain = [...open.slice(open.indexOf(include)), include].join(' → ');
      throw new IncludeError(
        `${at.file}:${at.line}: ${include} ends up including itself: ${chain}.`,
        'cycle',
        at.file,
        at.line,
        include,
      );
    }
    if (taken.includes(include)) return append('', at);
    const included = readFile(include);
    if (included === undefined) {
      throw new IncludeError(
        `${at.file}:${at.line}: the included file ${include} does not exist.`,
        'missing',
        at.file,
        at.line,
        include,
      );
    }
    taken.push(include);
    open.push(include);
    walk(include, included);
    open.pop();
  };
  const walk = (from: string, content: string) => {
    const own = content.split(LINE_END);
    // The end of the last line is no line of its own.
    if (own[own.length - 1] === '') own.pop();
    own.forEach((line, i) => {
      const origin = { file: from, line: i + 1 };
      const path = parseIncludeLine(line);
      if (path === undefined) append(line, origin);
      else take(resolveInclude(from, path), origin);
    });
  };

  walk(file, text);
  return { text: `${output.join('\n')}\n`, lines, includes: taken };
}
