/** The connections of the settings, each with a stable id, and their passwords in the secret storage. */
import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { Connection } from '../platform/services';
import { readSetting, writeSetting } from '../platform/settings';
import { identify, isUsable, readEntry, type Secrets, writeEntry } from './record';

/** The keys of the secret storage: these beginnings, and the connection's id. */
const SECRET_PREFIXES: Readonly<Record<keyof Secrets, string>> = {
  password: 'echomq.password.',
  sentinelPassword: 'echomq.sentinelPassword.',
};

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
    await this.keepSecret('password', id, secrets.password);
    await this.keepSecret('sentinelPassword', id, secrets.sentinelPassword);
    await writeSetting('connections', writeEntry(readSetting('connections') ?? [], { ...connection, id }));
    return id;
  }

  async remove(id: string): Promise<void> {
    const entries = readSetting('connections') ?? [];
    const ids = identify(entries);
    await writeSetting(
      'connections',
      entries.filter((_, i) => ids[i] !== id),
    );
    await this.keepSecret('password', id, undefined);
    await this.keepSecret('sentinelPassword', id, undefined);
  }

  async readSecrets(id: string): Promise<Secrets> {
    const [password, sentinelPassword] = await Promise.all([
      this.secrets.get(SECRET_PREFIXES.password + id),
      this.secrets.get(SECRET_PREFIXES.sentinelPassword + id),
    ]);
    return { password, sentinelPassword };
  }

  private async keepSecret(name: keyof Secrets, id: string, value: string | undefined): Promise<void> {
    const key = SECRET_PREFIXES[name] + id;
    if (value === undefined) await this.secrets.delete(key);
    else await this.secrets.store(key, value);
  }
}
