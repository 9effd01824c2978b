/**
 * Which connections take writes. A connection is in one of these states:
 *
 * - locked: the workspace is not trusted, the settings say read-only, the user blocked writes in this window, or the
 *   server is not on this machine and the user has not allowed writes in this window;
 * - open, but nothing was written yet in this window: the first write asks for consent;
 * - open, with consent.
 *
 * Consent lasts as long as the window and holds for one address: a connection that is edited to lead elsewhere is
 * asked about anew. It is not remembered longer on purpose. A permission forgotten since last week is the very accident
 * this is to prevent, and the price is one answer a window.
 */
import { ConnectionError } from '../../base/errors';
import { parseConnectionUrl } from '../../executor/connectionUrl';
import { isOnThisMachine } from '../../executor/loopback';
import type { Connection, Connections } from './services';
import { oneLine } from './text';

/** Why a connection takes no writes. The user lifts `remote` and `blocked` by Allow Writes, the others elsewhere. */
export type Lock = 'untrusted' | 'setting' | 'blocked' | 'remote';

/** Whether the user can lift it by Allow Writes. */
export const canAllowWrites = (lock: Lock): boolean => lock === 'remote' || lock === 'blocked';

/** What is asked of a connection is told by these. */
type Known = Pick<Connection, 'id' | 'name' | 'url' | 'isReadOnly'>;

/** A write to a connection that takes none. Nothing was sent. */
export class LockedError extends ConnectionError {
  constructor(
    readonly connectionId: string,
    readonly lock: Lock,
    message: string,
  ) {
    super(`${message} Nothing was sent.`, 'readOnly');
    this.name = 'LockedError';
  }

  static isLocked(error: unknown): error is LockedError {
    return error instanceof LockedError;
  }
}

export class WriteLocks {
  /** By connection, what the user said in this window, and about which address. */
  readonly #answers = new Map<string, { readonly url: string; readonly isAllowed: boolean }>();
  readonly #asking = new Map<string, Promise<boolean>>();
  readonly #listeners = new Set<() => void>();

  /** @param isTrusted whether the open workspace is trusted. */
  constructor(private readonly isTrusted: () => boolean) {}

  /** Why the connection takes no writes; `undefined` when it does. */
  findLock(connection: Known): Lock | undefined {
    if (!this.isTrusted()) return 'untrusted';
    if (connection.isReadOnly) return 'setting';
    const answer = this.#findAnswer(connection);
    if (answer === false) return 'blocked';
    return answer || isLocal(connection.url) ? undefined : 'remote';
  }

  /** @throws LockedError that says why, and what to do. */
  requireUnlocked(connection: Known): void {
    const lock = this.findLock(connection);
    if (lock) throw new LockedError(connection.id, lock, describeLock(connection, lock));
  }

  /**
   * Settles when a script may be sent.
   * @param ask asks the user for consent, unless that was given in this window; several writes share one question.
   * @returns false when the user said no. @throws LockedError
   */
  async admit(connection: Known, ask: () => Promise<boolean>): Promise<boolean> {
    this.requireUnlocked(connection);
    if (this.#findAnswer(connection)) return true;
    const isAllowed = await this.#askOnce(connection, ask);
    if (isAllowed) this.requireUnlocked(connection);
    return isAllowed;
  }

  /** Opens a connection that was locked for this window, once the user agrees. @throws LockedError when that cannot be. */
  async allow(connection: Known, ask: () => Promise<boolean>): Promise<boolean> {
    const lock = this.findLock(connection);
    if (lock && !canAllowWrites(lock)) this.requireUnlocked(connection);
    return (lock === undefined && this.#findAnswer(connection)) || this.#askOnce(connection, ask);
  }

  /** Makes a connection read-only for this window. */
  block(connection: Known): void {
    this.#asking.delete(keyOf(connection));
    this.#answer(connection, false);
  }

  /** Tells everybody that what the locks depend on has changed. */
  announce(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Calls back when a connection is locked or opened here. */
  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  async #askOnce(connection: Known, ask: () => Promise<boolean>): Promise<boolean> {
    const key = keyOf(connection);
    const asking = this.#asking.get(key) ?? ask();
    this.#asking.set(key, asking);
    try {
      const isAllowed = await asking;
      // Whoever blocked it while the question stood meant that.
      if (isAllowed && this.#asking.get(key) === asking) this.#answer(connection, true);
      return isAllowed;
    } finally {
      if (this.#asking.get(key) === asking) this.#asking.delete(key);
    }
  }

  #findAnswer({ id, url }: Known): boolean | undefined {
    const answer = this.#answers.get(id);
    return answer?.url === url ? answer.isAllowed : undefined;
  }

  #answer({ id, url }: Known, isAllowed: boolean): void {
    this.#answers.set(id, { url, isAllowed });
    this.announce();
  }
}

/** @throws LockedError when the connection is read-only. Nothing is sent, and nobody is asked. */
export function requireWritable(
  { connections, locks }: { readonly connections: Pick<Connections, 'find'>; readonly locks: WriteLocks },
  id: string,
): void {
  const connection = connections.find(id);
  if (connection) locks.requireUnlocked(connection);
}

const keyOf = ({ id, url }: Known) => JSON.stringify([id, url]);

function isLocal(url: string): boolean {
  try {
    return isOnThisMachine(parseConnectionUrl(url).options);
  } catch {
    return false;
  }
}

/** The sentence that says why a connection takes no writes, and what to do. */
export function describeLock({ name }: Known, lock: Lock): string {
  const what = `"${oneLine(name)}" is read-only`;
  switch (lock) {
    case 'untrusted':
      return `${what} because this workspace is not trusted. Trust the workspace to write.`;
    case 'setting':
      return `${what} by its setting readOnly in echomq.connections.`;
    case 'blocked':
      return `${what} because you blocked writes in this window. Allow writes to go on.`;
    case 'remote':
      return `${what} because its server is not on this machine. Allow writes to go on.`;
  }
}
