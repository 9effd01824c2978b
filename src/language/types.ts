/** The words in which the Lua checks speak. Nothing here knows an editor. */
import type { ReadFile } from '../scripts/includes';
import type { FileFacts } from './facts';

/** A place in a text: 0-based line, and 0-based UTF-16 unit in it. Lines end at `\n`. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** From `start` up to, not including, `end`. */
export interface TextRange {
  readonly start: Position;
  readonly end: Position;
}

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** Another place that a finding is about. */
export interface RelatedPlace {
  readonly path: string;
  readonly range: TextRange;
  readonly message: string;
}

/** A change that does away with a finding. The data of an edit; whoever shows it carries it out. */
export type Fix =
  | {
      readonly kind: 'renameFile';
      readonly title: string;
      readonly from: string;
      /** Not to be offered when there is such a file already. */
      readonly to: string;
    }
  | { readonly kind: 'replace'; readonly title: string; readonly range: TextRange; readonly text: string };

/** One finding in one file. */
export interface Diagnostic {
  /** The rule, as in `docs/rules/<code>.md`. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly range: TextRange;
  readonly related: readonly RelatedPlace[];
  /** The best fix first. */
  readonly fixes: readonly Fix[];
}

/** What a check is given. Paths use `/`, and includes are resolved against them. */
export interface CheckInput {
  readonly path: string;
  /** What the file says now; `readFile` is not asked for it. */
  readonly text: string;
  readonly readFile: ReadFile;
  /** Scripts that may take this file in, directly or through others; those that do not are passed over. */
  readonly scripts?: readonly string[];
  /** Where facts are remembered between checks. Without it every file is read anew. */
  readonly facts?: FactsOf;
}

/** What a text says, for a path. Must depend on the text alone. */
export type FactsOf = (path: string, text: string) => FileFacts;

/** A rule: one file in `rules/`, one row of the table, one test, one page of docs. */
export interface Rule {
  readonly code: string;
  readonly severity: Severity;
  /** What it finds, in one sentence. */
  readonly title: string;
  /** Pure, and total: any text gives an answer. In the order of the text. */
  check(input: CheckInput): Diagnostic[];
}
