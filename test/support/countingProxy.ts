/**
 * A TCP proxy before a Redis that counts what passes: bytes, commands and round trips. It can also lose a connection
 * at a chosen moment.
 *
 * A burst of requests is held back until the client has nothing more to say, and only then passed on. As no answer
 * can come before that, each burst is exactly one round trip: a client that waits for an answer makes a new one.
 */
import { connect, createServer, type Socket } from 'node:net';

export interface CountingProxy {
  readonly port: number;
  /** Names of the commands that went to the server, in capitals, in order. */
  readonly commands: readonly string[];
  readonly roundTrips: number;
  readonly bytesToServer: number;
  readonly bytesToClient: number;
  /** Connections open at the moment. */
  readonly connections: number;
  /** Sets all counters to nothing. */
  reset(): void;
  /**
   * From now on the first burst that holds the text is passed on, and when its answer comes, which shows that the
   * server has done it, the connection is lost instead. `undefined` takes that back.
   */
  loseAnswerTo(text: string | undefined): void;
  /** While muted, nothing is passed on: what is sent meanwhile is never answered. */
  mute(isMuted: boolean): void;
  /** Loses all connections now. */
  cut(): void;
  close(): Promise<void>;
}

/** How long a client must be silent for its burst to be over. */
const SILENCE_MS = 15;

/**
 * Starts a proxy on a free port before a Redis of this machine.
 * @param silenceMs shorter than usual where round trips need not be counted, and many are made.
 */
export async function startCountingProxy(serverPort: number, silenceMs = SILENCE_MS): Promise<CountingProxy> {
  const sockets = new Set<Socket>();
  const counted = { commands: [] as string[], roundTrips: 0, bytesToServer: 0, bytesToClient: 0 };
  let clients = 0;
  let doomed: string | undefined;
  let isMute = false;

  const server = createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port: serverPort });
    let held: Buffer[] = [];
    let timer: NodeJS.Timeout | undefined;
    let isDoomed = false;
    const end = () => {
      clearTimeout(timer);
      client.destroy();
      upstream.destroy();
    };
    const passOn = () => {
      const burst = Buffer.concat(held);
      held = [];
      if (isMute) return;
      counted.roundTrips += 1;
      counted.bytesToServer += burst.length;
      counted.commands.push(...readCommandNames(burst));
      if (doomed !== undefined && burst.includes(doomed)) {
        doomed = undefined;
        isDoomed = true;
      }
      upstream.write(burst);
    };
    clients += 1;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on('close', () => {
      clients -= 1;
    });
    client.on('data', (chunk) => {
      held.push(chunk);
      clearTimeout(timer);
      timer = setTimeout(passOn, silenceMs);
    });
    upstream.on('data', (chunk) => {
      if (isDoomed) return end();
      counted.bytesToClient += chunk.length;
      client.write(chunk);
    });
  });

  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };

  return {
    port,
    get commands() {
      return counted.commands;
    },
    get roundTrips() {
      return counted.roundTrips;
    },
    get bytesToServer() {
      return counted.bytesToServer;
    },
    get bytesToClient() {
      return counted.bytesToClient;
    },
    get connections() {
      return clients;
    },
    reset() {
      Object.assign(counted, { commands: [], roundTrips: 0, bytesToServer: 0, bytesToClient: 0 });
    },
    loseAnswerTo(text) {
      doomed = text;
    },
    mute(isMuted) {
      isMute = isMuted;
    },
    cut,
    close() {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The first word of each command of a burst. Arguments are stepped over by their length, so that data cannot confuse. */
function readCommandNames(burst: Buffer): string[] {
  const names: string[] = [];
  let at = 0;
  const readNumber = () => {
    const end = burst.indexOf('\r\n', at);
    const number = Number(burst.toString('latin1', at + 1, end));
    at = end + 2;
    return number;
  };
  while (at < burst.length) {
    const parts = readNumber();
    for (let part = 0; part < parts; part += 1) {
      const length = readNumber();
      if (part === 0) names.push(burst.toString('latin1', at, at + length).toUpperCase());
      at += length + 2;
    }
  }
  return names;
}
