/** The connections of the settings, each with a stable id, and their passwords in the secret storage. */
import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { StoredConnection } from '../contributions';
import type { Connection } from '../platform/services';
import { readSetting, writeSetting } from '../platform/settings';
import { describePlace, identify, isUsable, readEntry, type Secrets, writeEntry } from './record';

/** The keys of the secret storage: these beginnings, and the connection's id. */
const SECRET_PREFIXES: Readonly<Record<keyof Secrets, string>> = {
  password: 'echomq.password.',
  sentinelPassword: 'echomq.sentinelPassword.',
};

const SECRET_NAMES = ['password', 'sentinelPassword'] as const;

export class ConnectionStore {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  /** Calls back with the id of a connection of which a password changed, in this window or another. */
  onDidChangePassword(listener: (id: string) => void): vscode.Disposable {
    return this.secrets.onDidChange(({ key }) => {
      const prefix = Object.values(SECRET_PREFIXES).find((beginning) => key.startsWith(beginning));
      if (prefix !== undefined) listener(key.slice(prefix.length));
    });
  }

  /** The usable entries in their order; an id that appears twice counts once. */
  list(): Connection[] {
    const entries: readonly unknown[] = readSetting('connections') ?? [];
    const ids = identify(entries);
    return entries.flatMap((entry, i) => {
      const id = ids[i];
      return id !== undefined && isUsable(entry) ? [readEntry(entry, id)] : [];
    });
  }

  /** Adds the connection, or replaces the one of the same id. A secret that is undefined is removed. */
  async save(connection: Omit<Connection, 'id'> & { id?: string }, secrets: Secrets): Promise<string> {
    const id = connection.id ?? randomUUID();
    for (const name of SECRET_NAMES)
      await this.keepSecret(name, id, describePlace(connection), secrets[name]);
    await writeSetting('connections', writeEntry(readSetting('connections') ?? [], { ...connection, id }));
    return id;
  }

  /** Labels a connection, or takes its label away. */
  async label(id: string, label: StoredConnection['label']): Promise<void> {
    const before = readSetting('connections') ?? [];
    const ids = identify(before);
    const entries = before.map((entry, i): StoredConnection => {
      if (ids[i] !== id) return entry;
      const { label: _label, ...rest } = entry;
      return label === undefined ? rest : { ...rest, label };
    });
    await writeSetting('connections', entries);
  }

  async remove(id: string): Promise<void> {
    const entries = readSetting('connections') ?? [];
    const ids = identify(entries);
    await writeSetting(
      'connections',
      entries.filter((_, i) => ids[i] !== id),
    );
    for (const name of SECRET_NAMES) await this.keepSecret(name, id, '', undefined);
  }

  /** The passwords given for this connection, if it still leads to where they were given for. */
  async readSecrets(connection: Connection): Promise<Secrets> {
    const [password, sentinelPassword] = await Promise.all(
      SECRET_NAMES.map((name) => this.secrets.get(SECRET_PREFIXES[name] + connection.id)),
    );
    const place = describePlace(connection);
    return { password: open(password, place), sentinelPassword: open(sentinelPassword, place) };
  }

  private async keepSecret(
    name: keyof Secrets,
    id: string,
    place: string,
    secret: string | undefined,
  ): Promise<void> {
    const key = SECRET_PREFIXES[name] + id;
    if (secret === undefined) await this.secrets.delete(key);
    else await this.secrets.store(key, JSON.stringify({ place, secret }));
  }
}

/** The secret in a stored text, if it was given for the place. */
function open(stored: string | undefined, place: string): string | undefined {
  try {
    const value: unknown = JSON.parse(stored ?? 'null');
    if (typeof value !== 'object' || value === null || !('place' in value) || !('secret' in value)) return;
    return value.place === place && typeof value.secret === 'string' ? value.secret : undefined;
  } catch {
    return undefined;
  }
}
