/** One Redis, one set of queues and one workbench for the tests of a file. */
import assert from 'node:assert/strict';
import { type RedisArguments, type RedisServer, startRedis } from '../../support/redisServer';
import { Oracle, PREFIX } from './oracle';
import { Tree } from './tree';
import { openWorkbench, type Workbench } from './workbench';

/** The name of the connection that every session has, unless it says otherwise. */
export const CONNECTION = 'Local';

export interface SessionOptions {
  readonly redisArguments?: RedisArguments;
  /** The password that those arguments ask for. */
  readonly password?: string;
  /** Answers the question before the first write, which every window asks once, for the connections of these names. */
  readonly writable?: readonly string[];
  /** Fills Redis before the workbench opens. */
  readonly seed?: (oracle: Oracle) => Promise<void>;
  /** The connections in the settings; by default one, named {@link CONNECTION}. */
  readonly connections?: (redis: RedisServer) => Promise<readonly object[]>;
  /** A higher window shows more rows of the tree: rows out of sight do not exist. */
  readonly height?: number;
  /** Writes files into the workspace before it is opened. */
  readonly prepare?: (workspace: string) => void;
  readonly isUntrusted?: boolean;
  /** Packages to install besides the extension. */
  readonly vsix?: () => readonly string[];
}

export interface Session {
  readonly redis: RedisServer;
  readonly oracle: Oracle;
  readonly workbench: Workbench;
  readonly tree: Tree;
}

/**
 * Registers the hooks that start and end a session. After each test a screenshot is kept; at the end the page must
 * have had no uncaught error and must have asked for nothing off this machine.
 */
export function useSession(options: SessionOptions = {}): Session {
  const parts: { redis?: RedisServer; oracle?: Oracle; workbench?: Workbench; tree?: Tree } = {};
  const require = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('The session has not started.');
    return part;
  };

  before(async () => {
    parts.redis = await startRedis(options.redisArguments);
    parts.oracle = new Oracle(parts.redis, options.password);
    await options.seed?.(parts.oracle);
    const connections = (await options.connections?.(parts.redis)) ?? [
      { name: CONNECTION, url: parts.redis.url, prefixes: [PREFIX] },
    ];
    parts.workbench = await openWorkbench({
      settings: { 'echomq.connections': connections },
      ...(options.height && { viewport: { width: 1500, height: options.height } }),
      ...(options.prepare && { prepare: options.prepare }),
      ...(options.isUntrusted && { isUntrusted: true }),
      ...(options.vsix && { vsix: options.vsix() }),
    });
    parts.tree = new Tree(parts.workbench);
    await parts.workbench.openSideBar();
    for (const name of options.writable ?? []) await parts.tree.allowWrites(name);
  });

  afterEach(async function () {
    const state = this.currentTest?.state === 'failed' ? 'FAILED ' : '';
    await parts.workbench?.screenshot(`${state}${this.currentTest?.fullTitle() ?? 'unknown'}`);
    await parts.workbench?.settle();
  });

  after(async () => {
    await parts.workbench?.close();
    await parts.oracle?.close();
    await parts.redis?.stop();
    // Without a workbench the failed start is the news, and there was no page.
    assert.deepEqual(parts.workbench?.pageErrors ?? [], []);
    assert.deepEqual(parts.workbench?.foreignRequests ?? [], []);
  });

  return {
    get redis() {
      return require(parts.redis);
    },
    get oracle() {
      return require(parts.oracle);
    },
    get workbench() {
      return require(parts.workbench);
    },
    get tree() {
      return require(parts.tree);
    },
  };
}
