/** A Redis of a test's own: a free loopback port, no persistence, gone without a trace when stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireRedisBinary } from './redisBinary';

export interface RedisServer {
  readonly host: '127.0.0.1';
  readonly port: number;
  readonly url: string;
  /** Ends the process and waits until it is gone. The data is lost: nothing is ever written to disk. */
  stop(): Promise<void>;
  /** Ends the process and keeps the port for {@link restart}: clients are cut off and refused. */
  halt(): Promise<void>;
  /** Starts an empty server on the same port, after ending the one that runs. */
  restart(): Promise<void>;
}

/** A port that was free a moment ago. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('error', () => end(false));
    socket.once('connect', () => socket.write('PING\r\n'));
    // A server that wants a password answers -NOAUTH: it is up all the same.
    socket.once('data', () => end(true));
  });
}

/** Further options of `redis-server`, for example `['--requirepass', 'x']`; a function where they hold a free port. */
export type RedisArguments = readonly string[] | (() => Promise<readonly string[]>);

/** Starts a Redis. A port that somebody else took meanwhile is exchanged for another, twice at most. */
export async function startRedis(args: RedisArguments = []): Promise<RedisServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnFreePort(typeof args === 'function' ? await args() : args);
    } catch (error) {
      if (attempt === 3 || !/address already in use/i.test(String(error))) throw error;
    }
  }
}

async function startOnFreePort(args: readonly string[]): Promise<RedisServer> {
  const binary = requireRedisBinary();
  const port = await findFreePort();
  const directory = mkdtempSync(join(tmpdir(), 'echomq-redis-'));
  let child: ChildProcess | undefined;
  const killAtExit = () => child?.kill('SIGKILL');
  process.once('exit', killAtExit);

  const start = async () => {
    const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const started = spawn(binary, [...options, '--dir', directory, '--loglevel', 'warning', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    let output = '';
    started.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    started.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    const deadline = Date.now() + 15000;
    while (!(await answersPing(port))) {
      if (started.exitCode !== null) throw new Error(`redis-server ended at its start: ${output}`);
      if (Date.now() > deadline) throw new Error(`redis-server gave no answer on port ${port}: ${output}`);
      await new Promise((r) => setTimeout(r, 20));
    }
  };
  const end = async () => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const gone = new Promise((r) => ending.once('exit', r));
    ending.kill('SIGKILL');
    await gone;
  };

  try {
    await start();
  } catch (error) {
    process.off('exit', killAtExit);
    await end();
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  return {
    host: '127.0.0.1',
    port,
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      process.off('exit', killAtExit);
      await end();
      rmSync(directory, { recursive: true, force: true });
    },
    halt: end,
    async restart() {
      await end();
      await start();
    },
  };
}
