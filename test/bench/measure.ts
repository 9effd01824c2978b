/** How things are measured: traffic by a counting proxy, time in alternating rounds, and what the server itself says. */
import type { Redis } from 'ioredis';
import { startCountingProxy } from '../support/countingProxy';
import { type Spread, spreadOf } from './report';

/** One way to get a piece of work done, over a connection of its own. */
export interface Contender {
  readonly name: string;
  connect(port: number): Promise<Session>;
}

export interface Session {
  run(): Promise<unknown>;
  close(): Promise<unknown>;
}

/** What one run sends and receives. None of it depends on the machine. */
export interface Traffic {
  readonly commands: number;
  readonly roundTrips: number;
  readonly bytesReceived: number;
  readonly bytesSent: number;
}

/** The traffic of one run, after another has warmed the connection and loaded the scripts. */
export async function measureTraffic(contender: Contender, serverPort: number): Promise<Traffic> {
  const proxy = await startCountingProxy(serverPort);
  const session = await contender.connect(proxy.port);
  try {
    await session.run();
    proxy.reset();
    await session.run();
    return {
      commands: proxy.commands.length,
      roundTrips: proxy.roundTrips,
      bytesReceived: proxy.bytesToClient,
      bytesSent: proxy.bytesToServer,
    };
  } finally {
    await session.close();
    await proxy.close();
  }
}

/** A contender runs so often when it is its turn, and its best time counts: what else the machine does only adds. */
const RUNS_PER_TURN = 3;

/** How often as long as the first each contender takes: in every round all run, in an order that turns. */
export async function compareTimes(
  contenders: readonly Contender[],
  serverPort: number,
  rounds: number,
): Promise<Spread[]> {
  const sessions = await Promise.all(contenders.map((contender) => contender.connect(serverPort)));
  try {
    for (const session of sessions) await session.run();
    const ratios: number[][] = sessions.map(() => []);
    for (let round = 0; round < rounds; round += 1) {
      const times: number[] = [];
      for (let turn = 0; turn < sessions.length; turn += 1) {
        const index = (turn + round) % sessions.length;
        times[index] = Number.POSITIVE_INFINITY;
        for (let run = 0; run < RUNS_PER_TURN; run += 1) {
          const startMs = performance.now();
          await sessions[index]?.run();
          times[index] = Math.min(times[index] ?? 0, performance.now() - startMs);
        }
      }
      for (const [i, time] of times.entries()) ratios[i]?.push(time / (times[0] ?? Number.NaN));
    }
    return ratios.map(spreadOf);
  } finally {
    for (const session of sessions) await session.close();
  }
}

/** Microseconds of the server a call, by command in lower case. */
export type ServerTimes = ReadonlyMap<string, number>;

/** What the server spent on each command while something ran. */
export async function measureServerTimes(admin: Redis, run: () => Promise<unknown>): Promise<ServerTimes> {
  await admin.config('RESETSTAT');
  await run();
  const text = await admin.info('commandstats');
  const lines = [...text.matchAll(/^cmdstat_([^:]+):calls=(\d+),usec=(\d+)/gm)];
  return new Map(
    lines
      .filter(([, name]) => name !== undefined && !['info', 'config|resetstat'].includes(name))
      .map(([, name = '', calls, microseconds]) => [name, Number(microseconds) / Number(calls)]),
  );
}

/**
 * Microseconds that the server spent on the median call of a command while something ran. Unlike the mean it does not
 * see calls during which the machine did something else. Servers before Redis 7 tell no median; then it is the mean.
 */
export async function measureMedianTime(
  admin: Redis,
  command: string,
  run: () => Promise<unknown>,
): Promise<number> {
  const means = await measureServerTimes(admin, run);
  const text = await admin.info('latencystats');
  const median = new RegExp(`^latency_percentiles_usec_${command}:p50=([\\d.]+)`, 'm').exec(text)?.[1];
  return median === undefined ? (means.get(command) ?? Number.NaN) : Number(median);
}
