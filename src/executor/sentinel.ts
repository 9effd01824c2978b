/**
 * Asks sentinels where a primary is. All are asked at the same time and the first answer counts: one that is away
 * costs nothing, and each connection asks anew, so that a failover is followed at the next use.
 */
import { ConnectionError } from '../base/errors';
import { formatHostPort } from './address';
import { Connection } from './connection';
import type { CommonOptions, HostPort, SentinelOptions } from './options';

/** What the sentinels' own connections take over from the server's. */
type Shared = Pick<CommonOptions, 'tls' | 'connectTimeoutMs' | 'commandTimeoutMs'>;

/** @throws ConnectionError `sentinel` when none of them can say it. Rejects early when the signal is aborted. */
export async function locatePrimary(
  sentinel: SentinelOptions,
  shared: Shared,
  signal: AbortSignal,
): Promise<HostPort> {
  const stop = new AbortController();
  const asked = sentinel.nodes.map((node) =>
    askNode(node, sentinel, shared, AbortSignal.any([signal, stop.signal])),
  );
  try {
    return await Promise.any(asked);
  } catch (error) {
    const failures: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    throw chooseFailure(failures, sentinel);
  } finally {
    stop.abort();
    // No socket to a sentinel outlives the answer.
    await Promise.allSettled(asked);
  }
}

async function askNode(
  node: HostPort,
  sentinel: SentinelOptions,
  shared: Shared,
  signal: AbortSignal,
): Promise<HostPort> {
  const { username, password, master } = sentinel;
  const connection = new Connection(
    {
      ...node,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      ...(shared.connectTimeoutMs === undefined ? {} : { connectTimeoutMs: shared.connectTimeoutMs }),
      ...(shared.commandTimeoutMs === undefined ? {} : { commandTimeoutMs: shared.commandTimeoutMs }),
      tls: sentinel.tls === false ? false : ((shared.tls || sentinel.tls) ?? false),
    },
    () => {},
  );
  const close = () => void connection.close();
  signal.addEventListener('abort', close);
  try {
    if (signal.aborted) close();
    await connection.ready;
    const [reply] = await connection.send([['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', master]]);
    if (reply && 'error' in reply) throw describeRefusal(reply.error, node);
    const [host, port] = reply && Array.isArray(reply.value) ? reply.value : [];
    if (typeof host === 'string' && typeof port === 'string') return { host, port: Number(port) };
    throw unknownName(node, master);
  } catch (error) {
    if (ConnectionError.is(error) && SIGN_IN.includes(error.code)) {
      const sentence = `The sentinel ${formatHostPort(node)} does not let this connection in. Enter the user and password of the sentinels in the connection; they are not those of the server.`;
      throw new ConnectionError(sentence, 'sentinel', { cause: error });
    }
    throw error;
  } finally {
    signal.removeEventListener('abort', close);
    await connection.close();
  }
}

const SIGN_IN: readonly string[] = ['wrongPassword', 'passwordNeeded'];

const unknownName = (node: HostPort, master: string) =>
  new ConnectionError(
    `The sentinel ${formatHostPort(node)} knows no primary named "${master}". Correct the name in the connection; SENTINEL MASTERS lists those it knows.`,
    'sentinel',
  );

function describeRefusal(error: Error, node: HostPort): ConnectionError {
  const at = formatHostPort(node);
  if (/^NOPERM/.test(error.message)) {
    const sentence = `The user of the sentinel ${at} may not ask for the primary: the ACL rule +sentinel|get-master-addr-by-name is missing.`;
    return new ConnectionError(sentence, 'sentinel', { cause: error });
  }
  const sentence = /unknown command/i.test(error.message)
    ? `${at} is no sentinel. Give the addresses of sentinels (usually port 26379), or connect to the server without them.`
    : `The sentinel ${at} answered with an error: ${error.message}`;
  return new ConnectionError(sentence, 'sentinel', { cause: error });
}

/** Of several failures the one that says most: what a sentinel answered rather than that one is away. */
function chooseFailure(failures: readonly unknown[], { nodes, master }: SentinelOptions): ConnectionError {
  const known = failures.filter(ConnectionError.is);
  const told = known.find((failure) => failure.code === 'sentinel');
  if (told) return told;
  const first = known[0];
  const each = nodes.length === 1 ? 'The sentinel' : `None of the ${nodes.length} sentinels`;
  return new ConnectionError(
    `${each} of the primary "${master}" ${nodes.length === 1 ? 'cannot be asked' : 'can be asked'}. ${first?.message ?? ''}`,
    'sentinel',
    { cause: first },
  );
}
