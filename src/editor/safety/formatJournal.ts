import type { JournalEntry } from '../platform/journal';
import { oneLine } from '../platform/text';

const HEAD = [
  'What was done to Redis from this editor, newest first. It is kept on this machine only; the oldest lines go first.',
  'Nothing here is read back: changing or deleting it changes no queue.',
];

/** The journal as plain text: nothing in it is a link, and what cannot be seen is visible. */
export function formatJournal(entries: readonly JournalEntry[]): string {
  if (entries.length === 0) return `${HEAD[0]}\n\nNothing was done yet.\n`;
  return `${[...HEAD, ...entries.map(formatEntry)].join('\n\n')}\n`;
}

function formatEntry(entry: JournalEntry): string {
  const { ids, count } = entry;
  const shown = ids.map((id) => oneLine(id, 80)).join(', ');
  const rest = count > ids.length ? ` and ${count - ids.length} more` : '';
  return [
    `${formatTime(entry.atMs)}  ${oneLine(entry.action, 80)}: ${oneLine(entry.outcome, 400)}`,
    `    connection  ${oneLine(entry.connection)} (${oneLine(entry.address, 200)})`,
    `    queue       ${oneLine(entry.queue, 200)}`,
    ...(count > 0 ? [`    ${count === 1 ? 'job ' : 'jobs'}        ${shown}${rest}`] : []),
    `    script      ${entry.scripts.map((script) => oneLine(script)).join(', ')}`,
  ].join('\n');
}

/** In local time, as a person looks for it. */
function formatTime(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return 'unknown time';
  const local = new Date(ms - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace('T', ' ');
}
