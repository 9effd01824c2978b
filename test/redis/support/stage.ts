/** What most tests against a Redis start with: a server, a client to prepare and look, and executors that are closed. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { createExecutor } from '../../../src/executor/executor';
import type { CommonOptions, HostPort } from '../../../src/executor/options';
import type { Executor, RunRecord } from '../../../src/executor/types';
import { createScriptLibrary } from '../../../src/scripts/library';
import type { ScriptLibrary } from '../../../src/scripts/types';
import { ROOT } from '../../support/paths';
import { type RedisArguments, type RedisServer, startRedis } from '../../support/redisServer';

/** The scripts of `lua/`. */
export const library: ScriptLibrary = createScriptLibrary(join(ROOT, 'lua'));

export interface Stage {
  readonly server: RedisServer;
  /** Prepares and looks; not what is tested. */
  readonly admin: Redis;
  /** Runs of scripts, as the executors logged them. */
  readonly log: RunRecord[];
  /** An executor on the server, closed with the stage. */
  connect(options?: CommonOptions & Partial<HostPort>, scripts?: ScriptLibrary): Executor;
  /** Closes the executors made so far and waits until the server has seen it. */
  closeExecutors(): Promise<void>;
  /** Closes everything; fails when an executor left a connection. */
  close(): Promise<void>;
}

/** @param args further options of `redis-server`. */
export async function openStage(args: RedisArguments = []): Promise<Stage> {
  const server = await startRedis(args);
  const admin = new Redis({ host: server.host, port: server.port, protocol: 2 });
  admin.on('error', () => {});
  const executors: Executor[] = [];
  const log: RunRecord[] = [];
  const closeExecutors = async () => {
    await Promise.all(executors.splice(0).map((executor) => executor.close()));
    assert.equal(await countClients(admin), 0, 'an executor left a connection');
  };
  return {
    server,
    admin,
    log,
    connect(options = {}, scripts = library) {
      const executor = createExecutor(
        { host: server.host, port: server.port, ...options },
        scripts,
        (record) => log.push(record),
      );
      executors.push(executor);
      return executor;
    },
    closeExecutors,
    async close() {
      try {
        await closeExecutors();
      } finally {
        admin.disconnect();
        await server.stop();
      }
    },
  };
}

/** Connections that executors have on the server. One that was just closed is waited for. */
export async function countClients(admin: Redis): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    const clients = String(await admin.client('LIST')).split('\n');
    const count = clients.filter((line) => line.includes('name=echomq-vscode')).length;
    if (count === 0 || attempt === 20) return count;
    await new Promise((r) => setTimeout(r, 10));
  }
}

/** Calls of each command since the statistics were last reset, without those that `admin` makes to look. */
export async function readCommandCalls(admin: Redis): Promise<Map<string, number>> {
  const text = await admin.info('commandstats');
  const calls = [...text.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)];
  return new Map(calls.map(([, name = '', count]) => [name, Number(count)]));
}

/** Awaits a rejection and gives it back typed. */
export async function rejection<E>(
  promise: Promise<unknown>,
  is: (error: unknown) => error is E,
): Promise<E> {
  try {
    await promise;
  } catch (error) {
    if (is(error)) return error;
    throw error;
  }
  throw new assert.AssertionError({ message: 'It did not reject.' });
}
