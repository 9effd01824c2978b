/**
 * The window each level of the tree shows: at most 200 rows. "Load more" first grows the window from 100 to 200 rows
 * and then slides it on by 100, so that no level ever holds more, however often it is asked.
 */
const PAGE_SIZE = 100;
const MAX_ROWS = 200;

export interface Window {
  readonly offset: number;
  readonly limit: number;
}

export class Levels {
  private readonly windows = new Map<string, Window>();
  private readonly first: Window;

  constructor(firstLimit = PAGE_SIZE) {
    this.first = { offset: 0, limit: firstLimit };
  }

  /** The same object until the window moves. */
  get(level: string): Window {
    return this.windows.get(level) ?? this.first;
  }

  more(level: string): void {
    const { offset, limit } = this.get(level);
    if (limit < MAX_ROWS) this.windows.set(level, { offset, limit: MAX_ROWS });
    else this.windows.set(level, { offset: offset + PAGE_SIZE, limit });
  }

  previous(level: string): void {
    const { offset, limit } = this.get(level);
    this.windows.set(level, { offset: Math.max(0, offset - PAGE_SIZE), limit });
  }

  /** Moves a window back where the level has shrunk below it. */
  clamp(level: string, total: number): Window {
    const window = this.get(level);
    if (window.offset === 0 || window.offset < total) return window;
    const clamped = { ...window, offset: Math.max(0, Math.floor((total - 1) / PAGE_SIZE) * PAGE_SIZE) };
    this.windows.set(level, clamped);
    return clamped;
  }
}
