/**
 * What a server says about itself: the version, its role, who is connected. Only reads are sent, in one round trip, and
 * each part may be missing: servers rename INFO, and least rights deny it. HELLO without arguments changes nothing
 * and is allowed to every user, so that version, role and mode are known to all but servers before Redis 6.2.
 */
import type { ConnectionError } from '../base/errors';
import type { Executor, ReadCommand, ReadReply } from '../executor/types';
import { findError, findText, withoutUndefined } from './replies';

/** A command that other tools take for granted and this server or user does without. */
export interface DeniedCommand {
  readonly command: 'INFO' | 'CLIENT' | 'SCRIPT';
  /** What the server answered: `noPermission` or `unknownCommand`, with a sentence that says what to do. */
  readonly reason: ConnectionError;
}

/** A server as a person wants to see it before writing to it. A part that is not known is absent. */
export interface ServerDescription {
  /** Where the connection leads, without the password. Behind a tunnel it is the near end. */
  readonly address: string;
  readonly product?: 'Redis' | 'Valkey';
  readonly version?: string;
  readonly mode?: 'standalone' | 'cluster' | 'sentinel';
  readonly role?: 'primary' | 'replica';
  /** Of a replica: `host:port` of the server it copies. */
  readonly primaryAddress?: string;
  /** This connection is one of them. */
  readonly connectedClients?: number;
  /** EchoMQ and BullMQ need `noeviction`: any other policy may drop jobs. */
  readonly maxmemoryPolicy?: string;
  readonly denied: readonly DeniedCommand[];
}

/** INFO takes several sections at once from Redis 7 on only. */
const SECTIONS = ['server', 'clients', 'memory', 'replication'] as const;
/** No script has this name; it is only asked whether the question is allowed. */
const NO_SHA = '0'.repeat(40);
const COMMANDS: readonly ReadCommand[] = [
  ['HELLO'],
  ['CLIENT', 'GETNAME'],
  ['SCRIPT', 'EXISTS', NO_SHA],
  ...SECTIONS.map((section): ReadCommand => ['INFO', section]),
];

/**
 * Asks a server about itself. Works for a user who may do nothing but connect.
 * @throws ConnectionError when the connection itself fails, or the server answers nothing at the moment.
 */
export async function describeServer(executor: Executor): Promise<ServerDescription> {
  const [hello, client, script, ...sections] = await executor.read(COMMANDS);
  const greeting = readGreeting(hello);
  const info = readInfo(sections);
  const denied = [
    findDenial('INFO', sections[0]),
    findDenial('CLIENT', client),
    findDenial('SCRIPT', script),
  ];
  const clients = info.get('connected_clients');
  const host = info.get('master_host');
  return withoutUndefined<ServerDescription>({
    address: executor.address,
    product: findProduct(greeting, info),
    version: info.get('valkey_version') ?? greeting.get('version') ?? info.get('redis_version'),
    mode: findMode(info.get('server_mode') ?? info.get('redis_mode') ?? greeting.get('mode')),
    role: findRole(info.get('role') ?? greeting.get('role')),
    primaryAddress: host === undefined ? undefined : formatPrimary(host, info.get('master_port')),
    connectedClients: clients === undefined ? undefined : Number(clients),
    maxmemoryPolicy: info.get('maxmemory_policy'),
    denied: denied.filter((entry) => entry !== undefined),
  });
}

/** HELLO answers in RESP2 with names and values in turn. */
function readGreeting(reply: ReadReply | undefined): Map<string, string> {
  const items = reply && 'value' in reply && Array.isArray(reply.value) ? reply.value : [];
  const greeting = new Map<string, string>();
  for (let i = 0; i + 1 < items.length; i += 2) {
    const value = items[i + 1];
    if (typeof value === 'string') greeting.set(String(items[i]), value);
  }
  return greeting;
}

function readInfo(sections: readonly ReadReply[]): Map<string, string> {
  const lines = sections.flatMap((section) => (findText(section) ?? '').split(/\r?\n/));
  const pairs = lines.map((line) => /^([a-z_0-9]+):(.*)$/.exec(line)).filter((match) => match !== null);
  return new Map(pairs.map(([, name = '', value = '']) => [name, value]));
}

function findProduct(
  greeting: ReadonlyMap<string, string>,
  info: ReadonlyMap<string, string>,
): ServerDescription['product'] {
  if (info.has('valkey_version') || greeting.get('server') === 'valkey') return 'Valkey';
  return info.has('redis_version') || greeting.get('server') === 'redis' ? 'Redis' : undefined;
}

const findMode = (text: string | undefined): ServerDescription['mode'] =>
  text === 'standalone' || text === 'cluster' || text === 'sentinel' ? text : undefined;

/** The wire's word for a primary is master, and INFO's for a replica is slave. */
function findRole(text: string | undefined): ServerDescription['role'] {
  if (text === 'master') return 'primary';
  return text === 'slave' || text === 'replica' ? 'replica' : undefined;
}

const formatPrimary = (host: string, port = '?') =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

function findDenial(
  command: DeniedCommand['command'],
  reply: ReadReply | undefined,
): DeniedCommand | undefined {
  const reason = findError(reply);
  const isDenied = reason?.code === 'noPermission' || reason?.code === 'unknownCommand';
  return reason && isDenied ? { command, reason } : undefined;
}
