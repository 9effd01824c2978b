/**
 * Reads the header of a script: the block comment it opens with. The header is the script's contract, written so
 * that a person and a machine read the same text.
 *
 * ```
 * --[[
 *   What the script does, in sentences.
 *
 *   KEYS[1] the role of the key
 *   ARGV[1] the meaning of the argument, which may go on
 *     in a line that is indented further
 *
 *   Steps:
 *     1. What happens first.
 *     2. What happens then.
 *
 *   Reply: what it returns when it succeeds
 *   Codes: -1, -3            (or: none)
 *   Events: added, waiting   (or: none)
 * ]]
 * ```
 */

/** A numbered entry: `KEYS[2]`, `ARGV[1]`, or step 3. */
export interface HeaderEntry {
  readonly index: number;
  readonly text: string;
  /** 1-based line of the file. */
  readonly line: number;
}

/** A line that breaks the form. */
export interface HeaderProblem {
  readonly line: number;
  readonly message: string;
}

export interface ParsedHeader {
  readonly purpose: string;
  readonly keys: readonly HeaderEntry[];
  readonly args: readonly HeaderEntry[];
  readonly steps: readonly HeaderEntry[];
  /** `undefined` where the header has no such line. */
  readonly reply: string | undefined;
  readonly codes: readonly number[] | undefined;
  readonly events: readonly string[] | undefined;
  /** First and last line of the comment, 1-based. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly problems: readonly HeaderProblem[];
}

const ENTRY = /^(KEYS|ARGV)\[(\d+)\](?:\s+(.*))?$/;
const STEP = /^(\d+)\.\s+(.*)$/;
const FIELD = /^(Steps|Reply|Codes|Events):\s*(.*)$/;

type Part = { label: string; index: number; line: number; indent: number; text: string };

/** Reads the header of a script's text; `undefined` when it does not open with a block comment. Never throws. */
export function parseHeader(text: string): ParsedHeader | undefined {
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0 || !lines[first]?.startsWith('--[[')) return undefined;
  const last = lines.findIndex((line, i) => i >= first && line.includes(']]'));
  if (last < 0) return undefined;

  const parts: Part[] = [];
  const problems: HeaderProblem[] = [];
  for (let i = first; i <= last; i++) {
    const content = bodyOf(lines[i] ?? '', i === first, i === last);
    readLine(content, i + 1, parts, problems);
  }

  const entries = (label: string): HeaderEntry[] =>
    parts.filter((p) => p.label === label).map(({ index, text: t, line }) => ({ index, text: t, line }));
  const field = (label: string): Part | undefined => parts.find((p) => p.label === label);
  const keys = entries('KEYS');
  const args = entries('ARGV');
  const steps = entries('step');
  checkOrder('KEYS', keys, problems);
  checkOrder('ARGV', args, problems);
  checkOrder('Step', steps, problems);

  return {
    purpose: parts
      .filter((p) => p.label === 'purpose')
      .map((p) => p.text)
      .join(' '),
    keys,
    args,
    steps,
    reply: field('Reply')?.text,
    codes: readCodes(field('Codes'), problems),
    events: readEvents(field('Events'), problems),
    firstLine: first + 1,
    lastLine: last + 1,
    problems: problems.sort((a, b) => a.line - b.line),
  };
}

function bodyOf(line: string, isFirst: boolean, isLast: boolean): string {
  let body = line;
  if (isLast) body = body.slice(0, body.indexOf(']]'));
  if (isFirst) body = body.replace(/^--\[\[/, '    ');
  return body;
}

function readLine(content: string, line: number, parts: Part[], problems: HeaderProblem[]): void {
  const text = content.trim();
  if (text === '') {
    // A blank line ends whatever went on before it.
    parts.push({ label: 'blank', index: 0, line, indent: 0, text: '' });
    return;
  }
  const indent = content.length - content.trimStart().length;
  const entry = ENTRY.exec(text);
  if (entry?.[1] && entry[2]) {
    parts.push({ label: entry[1], index: Number(entry[2]), line, indent, text: entry[3] ?? '' });
    return;
  }
  const field = FIELD.exec(text);
  if (field?.[1]) {
    parts.push({ label: field[1], index: 0, line, indent, text: field[2] ?? '' });
    return;
  }
  const previous = parts[parts.length - 1];
  const step = STEP.exec(text);
  if (step?.[1] && previous && (previous.label === 'Steps' || previous.label === 'step')) {
    parts.push({ label: 'step', index: Number(step[1]), line, indent, text: step[2] ?? '' });
    return;
  }
  const goesOn = previous && previous.label !== 'blank' && previous.label !== 'purpose';
  if (goesOn && indent > previous.indent) {
    previous.text = `${previous.text} ${text}`.trim();
    return;
  }
  const isPurpose = parts.every((p) => p.label === 'blank' || p.label === 'purpose');
  if (isPurpose) parts.push({ label: 'purpose', index: 0, line, indent, text });
  else problems.push({ line, message: `The header line "${text}" is not understood.` });
}

function checkOrder(label: string, entries: readonly HeaderEntry[], problems: HeaderProblem[]): void {
  entries.forEach(({ index, text, line }, i) => {
    const name = label === 'Step' ? `Step ${index}` : `${label}[${index}]`;
    if (index !== i + 1) problems.push({ line, message: `${name} stands where number ${i + 1} is due.` });
    if (text === '') problems.push({ line, message: `${name} is not described.` });
  });
}

function readList(part: Part | undefined): string[] | undefined {
  if (!part) return undefined;
  if (part.text === 'none') return [];
  return part.text.split(',').map((item) => item.trim());
}

function readCodes(part: Part | undefined, problems: HeaderProblem[]): number[] | undefined {
  const items = readList(part);
  for (const item of items ?? []) {
    if (!/^-\d+$/.test(item)) {
      problems.push({ line: part?.line ?? 0, message: `The code "${item}" is no negative whole number.` });
    }
  }
  return items?.map(Number);
}

function readEvents(part: Part | undefined, problems: HeaderProblem[]): string[] | undefined {
  const items = readList(part);
  for (const item of items ?? []) {
    if (!/^[a-z]+(-[a-z]+)*$/.test(item)) {
      problems.push({ line: part?.line ?? 0, message: `The event "${item}" is no name of an event.` });
    }
  }
  return items;
}
