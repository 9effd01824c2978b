/** Makes text that comes from Redis fit to show. It is never trusted: not as HTML, Markdown or terminal output. */

// Control characters, and the marks that reorder or hide text around them.
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const visible = (c: string) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

/** The first `max` units of a text; a character of two units is not torn apart. */
export const cut = (text: string, max: number): string => text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');

/** One line of at most `max` characters: line breaks become ⏎, what cannot be seen becomes its code. */
export function oneLine(text: string, max = 120): string {
  const head = cut(text, max * 2);
  const line = head.replace(/\r?\n/g, ' ⏎ ').replace(/\t/g, ' ').replace(UNSAFE, visible);
  return line.length > max || head.length < text.length ? `${cut(line, max - 1)}…` : line;
}

/** A text for a toast: one line, and nothing in it becomes a link. */
export const plainMessage = (text: string): string => oneLine(text, 600).replaceAll('](', '] (');

/** A text for a quick pick, in which `$(name)` would become an icon. */
export const plainLabel = (text: string, max?: number): string =>
  oneLine(text, max).replace(/\$\([\w~-]+\)/g, '\\$&');

/** The address of a connection without whatever may be a password in it. */
export const hidePassword = (url: string): string =>
  url.replace(/^([a-z-]+:\/\/[^:/@]*):.*@/i, '$1@').replace(/(password=)[^&#]*/gi, '$1…');

/** Several lines as they are, with what cannot be seen made visible. */
export function plainLines(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNSAFE, (c) => (c === '\n' || c === '\t' ? c : visible(c)));
}

/** A length of time for a person: `450 ms`, `12 s`, `5 min`, `3 h`, `2 d`. */
export function formatSpan(ms: number): string {
  const span = Math.abs(ms);
  if (span < 1000) return `${Math.round(span)} ms`;
  if (span < 120_000) return `${Math.round(span / 1000)} s`;
  if (span < 7_200_000) return `${Math.round(span / 60_000)} min`;
  if (span < 172_800_000) return `${Math.round(span / 3_600_000)} h`;
  return `${Math.round(span / 86_400_000)} d`;
}

/** A number of bytes for a person. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `1 job`, `2 jobs`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Reads a delay such as `250`, `250 ms`, `30s`, `5m`, `2h` or `1d`; `undefined` when it is none. */
export function parseSpan(text: string): number | undefined {
  const match = text.trim().match(/^(\d+(?:\.\d+)?)\s*(ms|s|m|min|h|d)?$/i);
  if (!match) return undefined;
  const unit = (match[2] ?? 'ms').toLowerCase();
  const factor = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 }[unit] ?? 1;
  return Math.round(Number(match[1]) * factor);
}
