/** Turns what went wrong while connecting into a sentence that names the address and says what to do. */
import { ConnectionError, type ConnectionErrorCode } from '../base/errors';
import { formatPlace } from './address';
import type { ConnectionOptions } from './options';
import { describeTlsFailure, isTlsFailure, TlsFileError } from './tlsFailure';

const UNREACHABLE = ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL', 'EACCES'];
const UNKNOWN_HOST = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME', 'EAI_FAIL'];

/** The code of a Node error; of several attempts (IPv6, then IPv4) the last one's. */
function findCode(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) {
    const last: unknown = error.errors.at(-1);
    if (last instanceof Error) return findCode(last);
  }
  return '';
}

/**
 * The error for a connection that could not be made.
 * @param cause what the socket or the client said.
 */
export function describeConnectFailure(cause: Error, options: ConnectionOptions): ConnectionError {
  const at = formatPlace(options);
  const code = findCode(cause);
  const fail = (kind: ConnectionErrorCode, sentence: string) =>
    new ConnectionError(sentence, kind, { cause });

  if (cause instanceof TlsFileError) return fail('tls', describeTlsFailure(at, code, cause, {}));
  if ('socketPath' in options) {
    const sentence = describeSocketFailure(code, options.socketPath);
    if (sentence !== undefined) return fail(code === 'EACCES' ? 'unreachable' : 'refused', sentence);
  }
  if (code === 'ECONNREFUSED') {
    return fail(
      'refused',
      `Nothing listens at ${at}. Start Redis there, or correct the connection's host and port.`,
    );
  }
  if (UNKNOWN_HOST.includes(code)) {
    const host = 'host' in options ? options.host : at;
    return fail(
      'unreachable',
      `The host name "${host}" cannot be found. Check its spelling and your network.`,
    );
  }
  if (UNREACHABLE.includes(code)) {
    return fail(
      'unreachable',
      `${at} cannot be reached from this machine. Check the host, your network and VPN.`,
    );
  }
  if (code === 'ETIMEDOUT') return describeConnectTimeout(options, cause);
  if (options.tls && isTlsFailure(code, cause.message)) {
    const tls = options.tls === true ? {} : options.tls;
    return fail('tls', describeTlsFailure(at, code, cause, tls));
  }
  if (isProtocolFailure(cause)) {
    const hint = options.tls ? '' : ' If it expects TLS, switch TLS on in the connection.';
    return fail(
      options.tls ? 'serverError' : 'tls',
      `What listens at ${at} does not answer like Redis.${hint}`,
    );
  }
  return fail('closed', `${at} closed the connection at once. ${hintAtTls(options)}`);
}

function hintAtTls({ tls }: ConnectionOptions): string {
  if (!tls) return 'Check that it is a Redis, and whether it expects TLS.';
  const verb = tls === true || !tls.certFile ? 'wants a' : 'accepts the';
  return `Check that the server uses TLS on this port, and whether it ${verb} client certificate.`;
}

function describeSocketFailure(code: string, path: string): string | undefined {
  if (code === 'ENOENT') {
    return `There is no socket at ${path}. Start Redis with that unixsocket, or correct the path in the connection.`;
  }
  if (code === 'ECONNREFUSED' || code === 'ENOTSOCK') {
    return `Nothing listens at ${path}. Start Redis with that unixsocket, or correct the path in the connection.`;
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return `Your user may not open the socket ${path}. Change its permissions (unixsocketperm in redis.conf).`;
  }
  return undefined;
}

/** The error for a server that gave no answer in time. */
export function describeConnectTimeout(options: ConnectionOptions, cause?: Error): ConnectionError {
  const hint = options.tls
    ? ' If the server does not use TLS, switch it off in the connection.'
    : ' Check host, port and firewall, and whether the server expects TLS.';
  return new ConnectionError(`${formatPlace(options)} gave no answer in time.${hint}`, 'timeout', { cause });
}

/** True when bytes arrived that are no Redis reply, such as those of a TLS or HTTP server. */
export function isProtocolFailure(error: Error): boolean {
  return /protocol error|please report this|unknown RESP type/i.test(error.message);
}
