import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  COMMANDS,
  CONTEXT,
  CONTEXT_KEYS,
  DEFAULT_PREFIXES,
  jobContext,
  LOCK_SUFFIX,
  PRODUCTION_COLOUR,
  RESTRICTED_SETTINGS,
  SETTINGS,
  type StoredConnection,
  type StoredSentinel,
  stateContext,
  VIEW_QUEUES,
  WRITE_COMMANDS,
} from '../../src/editor/contributions';
import type { TlsOptions } from '../../src/executor/options';
import { STATE_NAMES } from '../../src/keys/states';
import { legalTransitions } from '../../src/queue/stateMachine';

const root = join(__dirname, '../..');
const readJson = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));
const manifest = readJson('package.json');
const texts = readJson('package.nls.json') as Record<string, string>;
const { contributes } = manifest;

interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}
const menus = contributes.menus as Record<string, MenuItem[]>;
const sorted = (list: Iterable<string>) => [...list].sort();

/** The states whose job rows offer a command, read from its `when` clauses. */
const statesOffering = (command: string) => {
  const clauses = (menus['view/item/context'] ?? [])
    .filter((i) => i.command === command)
    .map((i) => i.when ?? '');
  const patterns = clauses.map((c) => c.match(/viewItem =~ \/(.+)\/$/)?.[1]).filter((p) => p !== undefined);
  return STATE_NAMES.filter((s) => patterns.some((p) => new RegExp(p).test(`echomq.job ${s}`)));
};

/** Whether a `when` clause of a row's menu holds for a context value. Clauses of other forms fail the test. */
function isOffered(when: string, viewItem: string): boolean {
  const prefix = `view == ${VIEW_QUEUES} && viewItem `;
  assert.ok(when.startsWith(prefix), when);
  const rest = when.slice(prefix.length);
  const pattern = rest.match(/^=~ \/(.+)\/$/)?.[1];
  const text = rest.match(/^== '(.+)'$/)?.[1] ?? rest.match(/^== ([\w.]+)$/)?.[1];
  if (pattern !== undefined) return new RegExp(pattern).test(viewItem);
  assert.ok(text !== undefined, when);
  return text === viewItem;
}

describe('The manifest', () => {
  it('names the same commands as the code, both ways', () => {
    const declared = contributes.commands.map((c: { command: string }) => c.command);
    assert.deepEqual(sorted(declared), sorted(Object.values(COMMANDS)));
  });

  it('names the same view and settings as the code, both ways', () => {
    assert.deepEqual(
      contributes.views.echomq.map((v: { id: string }) => v.id),
      [VIEW_QUEUES],
    );
    const settings: Record<keyof import('../../src/editor/contributions').SettingTypes, true> = {
      connections: true,
      'discovery.maxKeys': true,
      'connection.timeoutMs': true,
    };
    const expected = Object.keys(settings).map((name) => `${SETTINGS}.${name}`);
    assert.deepEqual(sorted(Object.keys(contributes.configuration.properties)), sorted(expected));
  });

  it('gives every command a title and the category, and an icon where it stands inline or in a title bar', () => {
    const bare = Object.values(menus)
      .flat()
      .filter((i) => i.group?.startsWith('inline') || i.group?.startsWith('navigation'))
      .map((i) => i.command);
    for (const command of contributes.commands) {
      assert.match(command.title, /^%.+%$/, command.command);
      assert.equal(command.category, 'EchoMQ', command.command);
      if (bare.includes(command.command) && command.command !== COMMANDS.loadWholeJob) {
        assert.match(command.icon ?? '', /^\$\(.+\)$/, command.command);
      }
    }
  });

  it('has every text it refers to, and refers to every text it has', () => {
    const used = new Set([...JSON.stringify(manifest).matchAll(/%([\w.]+)%/g)].map((m) => m[1] ?? ''));
    assert.deepEqual(sorted(used), sorted(Object.keys(texts)));
  });

  it('puts only declared commands into menus', () => {
    const ids: readonly string[] = Object.values(COMMANDS);
    for (const item of Object.values(menus).flat()) assert.ok(ids.includes(item.command), item.command);
  });

  it('offers a move exactly where the state machine has it', () => {
    for (const [command, transition] of [
      [COMMANDS.retryJob, 'retry'],
      [COMMANDS.promoteJob, 'promote'],
      [COMMANDS.editJobData, 'editData'],
    ] as const) {
      const legal = STATE_NAMES.filter((s) => legalTransitions(s).some((t) => t.id === transition));
      assert.deepEqual(statesOffering(command), legal, command);
    }
  });

  it('offers no write on a row of a read-only connection, and none in the palette where all are', () => {
    const contexts = [
      ...Object.values(CONTEXT),
      ...STATE_NAMES.flatMap((state) => [stateContext(state), jobContext(state)]),
    ];
    const items = (menus['view/item/context'] ?? []).filter((i) =>
      WRITE_COMMANDS.some((c) => c === i.command),
    );
    for (const { command, when = '' } of items) {
      assert.ok(
        contexts.some((context) => isOffered(when, context)),
        `${command} is offered nowhere: ${when}`,
      );
      for (const suffix of Object.values(LOCK_SUFFIX)) {
        const offered = contexts.filter((context) => isOffered(when, `${context}${suffix}`));
        assert.deepEqual(offered, [], `${command}: ${when}`);
      }
    }
    for (const command of WRITE_COMMANDS) {
      const clauses = (menus.commandPalette ?? []).filter((i) => i.command === command).map((i) => i.when);
      assert.ok(
        clauses.length > 0 &&
          clauses.every((w) => w === 'false' || w?.includes(`!${CONTEXT_KEYS.isReadOnly}`)),
        command,
      );
    }
  });

  it('asks VS Code to ignore what the code ignores of a workspace that is not trusted', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    assert.deepEqual(
      restrictedConfigurations,
      RESTRICTED_SETTINGS.map((name) => `${SETTINGS}.${name}`),
    );
  });

  it('has an activation that is narrow, an engine range, and runs where the workspace is', () => {
    assert.ok(!manifest.activationEvents.includes('*'));
    assert.equal(manifest.engines.vscode, '^1.100.0');
    assert.deepEqual(manifest.extensionKind, ['workspace']);
    assert.equal(manifest.publisher, 'echomq');
  });

  it('has a colour for every state, and its icons on disk', () => {
    const colours = contributes.colors.map((c: { id: string }) => c.id);
    const expected = STATE_NAMES.map(
      (s) => `echomq.state.${s === 'waiting-children' ? 'waitingChildren' : s}`,
    );
    assert.deepEqual(sorted(colours), sorted([...expected, PRODUCTION_COLOUR]));
    for (const icon of [manifest.icon, contributes.viewsContainers.activitybar[0].icon]) {
      assert.ok(existsSync(join(root, icon)), icon);
    }
  });

  it('describes an entry of the connections with every field that is stored, and takes every kind of URL', () => {
    const { properties } = contributes.configuration.properties['echomq.connections'].items;
    const entry: Record<keyof StoredConnection, true> = {
      ...{
        id: true,
        name: true,
        url: true,
        prefixes: true,
        tls: true,
        sentinel: true,
        version: true,
        readOnly: true,
        label: true,
      },
    };
    const tls: Record<keyof TlsOptions, true> = {
      ...{ caFile: true, certFile: true, keyFile: true, servername: true, rejectUnauthorized: true },
    };
    const sentinel: Record<keyof StoredSentinel, true> = { username: true, tls: true };
    assert.deepEqual(sorted(Object.keys(properties)), sorted(Object.keys(entry)));
    assert.deepEqual(sorted(Object.keys(properties.tls.properties)), sorted(Object.keys(tls)));
    assert.deepEqual(sorted(Object.keys(properties.sentinel.properties)), sorted(Object.keys(sentinel)));
    assert.equal(properties.tls.properties.rejectUnauthorized.default, true);
    const pattern = new RegExp(properties.url.pattern);
    for (const url of [
      'redis://h',
      'rediss://h',
      'redis-sentinel://h#m',
      'rediss-sentinel://h#m',
      'unix:///s',
    ]) {
      assert.match(url, pattern);
    }
  });

  it('says the default prefixes in the text of their setting', () => {
    for (const prefix of DEFAULT_PREFIXES) assert.ok(texts['setting.connections.prefixes']?.includes(prefix));
  });
});
