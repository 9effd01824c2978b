/** Who is measured when browsing: ours, the reference library, and replays of what other tools send. */
import { Queue as OracleQueue } from 'bullmq';
import { Redis } from 'ioredis';
import { createExecutor } from '../../src/executor/executor';
import type { Executor } from '../../src/executor/types';
import type { QueueAddress } from '../../src/keys/keys';
import { library } from '../redis/support/stage';
import type { Contender } from './measure';

const HOST = '127.0.0.1';

/** Work done through our executor. */
export const ours = (name: string, work: (executor: Executor) => Promise<unknown>): Contender => ({
  name,
  async connect(port) {
    const executor = createExecutor({ host: HOST, port }, library);
    return { run: () => work(executor), close: () => executor.close() };
  },
});

/** Work done through queues of the reference library, all on one connection, which is the best it can do. */
export const oracle = (
  name: string,
  addresses: readonly QueueAddress[],
  work: (queues: readonly OracleQueue[]) => Promise<unknown>,
): Contender => ({
  name,
  async connect(port) {
    const [first, ...others] = addresses;
    if (!first) throw new Error('The reference needs a queue.');
    const open = ({ prefix, queue }: QueueAddress, connection: OracleQueue['opts']['connection']) =>
      new OracleQueue(queue, { connection, prefix, skipMetasUpdate: true });
    const leader = open(first, { host: HOST, port });
    const client = await leader.client;
    client.setMaxListeners(10 * addresses.length + 100);
    const queues = [leader, ...others.map((address) => open(address, client))];
    await Promise.all(queues.map((queue) => queue.waitUntilReady()));
    return {
      run: () => work(queues),
      // Those that share the connection leave it open.
      close: () => Promise.all(queues.toReversed().map((queue) => queue.close())),
    };
  },
});

/** Commands sent as another tool sends them. */
export const replay = (name: string, work: (redis: Redis) => Promise<unknown>): Contender => ({
  name,
  async connect(port) {
    const redis = new Redis({ host: HOST, port, protocol: 2 });
    return { run: () => work(redis), close: () => redis.quit() };
  },
});
