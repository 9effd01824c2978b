/** The connections of the settings, each with a stable id, and their passwords in the secret storage. */
import { createHash, randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { DEFAULT_PREFIXES, type StoredConnection } from '../contributions';
import type { Connection } from '../platform/services';
import { readSetting, writeSetting } from '../platform/settings';

const SECRET_PREFIX = 'echomq.password.';
const secretKey = (id: string) => `${SECRET_PREFIX}${id}`;

/** An entry written by hand has no id: one is derived from its name, so that it stays the same between windows. */
const idOf = (entry: StoredConnection) =>
  entry.id ?? `by-name-${createHash('sha1').update(entry.name).digest('hex').slice(0, 12)}`;

const isUsable = (entry: unknown): entry is StoredConnection =>
  typeof entry === 'object' &&
  entry !== null &&
  typeof (entry as StoredConnection).name === 'string' &&
  typeof (entry as StoredConnection).url === 'string';

export class ConnectionStore {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  /** Calls back with the id of a connection whose password changed, in this window or another. */
  onDidChangePassword(listener: (id: string) => void): vscode.Disposable {
    return this.secrets.onDidChange(({ key }) => {
      if (key.startsWith(SECRET_PREFIX)) listener(key.slice(SECRET_PREFIX.length));
    });
  }

  /** The usable entries in their order; an id that appears twice counts once. */
  list(): Connection[] {
    const seen = new Set<string>();
    const list: Connection[] = [];
    for (const entry of readSetting('connections') ?? []) {
      if (!isUsable(entry)) continue;
      const id = idOf(entry);
      if (seen.has(id)) continue;
      seen.add(id);
      const prefixes = entry.prefixes?.filter((p) => typeof p === 'string' && p !== '') ?? [];
      const { name, url } = entry;
      list.push({ id, name, url, prefixes: prefixes.length > 0 ? prefixes : DEFAULT_PREFIXES });
    }
    return list;
  }

  /** Adds the connection, or replaces the one of the same id. `password` undefined removes a stored one. */
  async save(
    connection: Omit<Connection, 'id'> & { id?: string },
    password: string | undefined,
  ): Promise<string> {
    const id = connection.id ?? randomUUID();
    const { name, url, prefixes } = connection;
    const entry: StoredConnection = { id, name, url, prefixes };
    if (password === undefined) await this.secrets.delete(secretKey(id));
    else await this.secrets.store(secretKey(id), password);
    const entries = [...(readSetting('connections') ?? [])];
    const index = entries.findIndex((e) => isUsable(e) && idOf(e) === id);
    if (index < 0) entries.push(entry);
    else entries[index] = entry;
    await writeSetting('connections', entries);
    return id;
  }

  async remove(id: string): Promise<void> {
    const entries = (readSetting('connections') ?? []).filter((e) => !isUsable(e) || idOf(e) !== id);
    await writeSetting('connections', entries);
    await this.secrets.delete(secretKey(id));
  }

  async readPassword(id: string): Promise<string | undefined> {
    return this.secrets.get(secretKey(id));
  }
}
