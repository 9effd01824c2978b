/** What a case of the benchmark reports, as text for the terminal and as a table for the document. */

/** How often as much: a ratio over several rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export type Cell = string | number | Spread;

/** A sentence that the case proves or disproves. */
export interface Claim {
  readonly text: string;
  readonly isHeld: boolean;
}

export interface CaseReport {
  readonly title: string;
  /** What was measured, against what, and how the table is read. */
  readonly about: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly claims: readonly Claim[];
}

/** The spread of what several rounds gave. @throws RangeError when there was no round. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) throw new RangeError('A spread needs at least one round.');
  const upper = sorted[Math.floor(sorted.length / 2)] ?? max;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? min;
  return { median: (lower + upper) / 2, min, max };
}

/** All ratios of a report's table. */
export const listSpreads = (report: CaseReport): Spread[] =>
  report.rows.flat().filter((cell): cell is Spread => typeof cell === 'object');

const formatRatio = (ratio: number) => (ratio >= 100 ? ratio.toFixed(0) : ratio.toFixed(ratio >= 10 ? 1 : 2));

function formatCell(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number') return cell.toLocaleString('en-US');
  const { median, min, max } = cell;
  return `${formatRatio(median)} × (${formatRatio(min)}–${formatRatio(max)})`;
}

/** Breaks a paragraph into lines. */
export const wrap = (text: string) => text.replace(/(.{1,118})(\s+|$)/g, '$1\n').trimEnd();

/** A section of the document. */
export function formatReport({ title, about, columns, rows, claims }: CaseReport): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    `## ${title}`,
    '',
    wrap(about),
    '',
    line(columns),
    line(columns.map((_, i) => (i === 0 ? '---' : '---:'))),
    ...rows.map((row) => line(row.map(formatCell))),
    '',
    ...claims.flatMap(({ text, isHeld }) => [wrap(`${isHeld ? 'Held' : 'NOT HELD'}: ${text}`), '']),
  ].join('\n');
}
