/** Turns what went wrong while connecting into a sentence that names the address and says what to do. */
import { ConnectionError, type ConnectionErrorCode } from '../base/errors';
import { formatHost } from './address';
import type { ConnectionOptions } from './types';

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

const isTlsFailure = (code: string, message: string) =>
  code.startsWith('ERR_TLS') ||
  code.startsWith('ERR_SSL') ||
  code.startsWith('CERT_') ||
  code === 'EPROTO' ||
  /SELF_SIGNED|UNABLE_TO_|DEPTH_ZERO/.test(code) ||
  /ssl routines|certificate/i.test(message);

/**
 * The error for a connection that could not be made.
 * @param cause what the socket or the client said.
 */
export function describeConnectFailure(cause: Error, options: ConnectionOptions): ConnectionError {
  const at = formatHost(options);
  const code = findCode(cause);
  const fail = (kind: ConnectionErrorCode, sentence: string) =>
    new ConnectionError(sentence, kind, { cause });

  if (code === 'ECONNREFUSED') {
    return fail(
      'refused',
      `Nothing listens at ${at}. Start Redis there, or correct the connection's host and port.`,
    );
  }
  if (UNKNOWN_HOST.includes(code)) {
    return fail(
      'unreachable',
      `The host name "${options.host}" cannot be found. Check its spelling and your network.`,
    );
  }
  if (UNREACHABLE.includes(code)) {
    return fail(
      'unreachable',
      `${at} cannot be reached from this machine. Check the host, your network and VPN.`,
    );
  }
  if (code === 'ETIMEDOUT') return describeConnectTimeout(options, cause);
  if (options.tls && isTlsFailure(code, cause.message))
    return fail('tls', describeTls(at, code, cause.message));
  if (isProtocolFailure(cause)) {
    const hint = options.tls ? '' : ' If it expects TLS, switch TLS on in the connection.';
    return fail(
      options.tls ? 'serverError' : 'tls',
      `What listens at ${at} does not answer like Redis.${hint}`,
    );
  }
  const hint = options.tls
    ? 'Check that the server uses TLS on this port.'
    : 'Check that it is a Redis, and whether it expects TLS.';
  return fail('closed', `${at} closed the connection at once. ${hint}`);
}

/** The error for a server that gave no answer in time. */
export function describeConnectTimeout(options: ConnectionOptions, cause?: Error): ConnectionError {
  const hint = options.tls
    ? ' If the server does not use TLS, switch it off in the connection.'
    : ' Check host, port and firewall, and whether the server expects TLS.';
  return new ConnectionError(`${formatHost(options)} gave no answer in time.${hint}`, 'timeout', { cause });
}

/** True when bytes arrived that are no Redis reply, such as those of a TLS or HTTP server. */
export function isProtocolFailure(error: Error): boolean {
  return /protocol error|please report this|unknown RESP type/i.test(error.message);
}

function describeTls(at: string, code: string, message: string): string {
  if (/wrong version number|packet length too long|unknown protocol|http request/i.test(message)) {
    return `${at} does not use TLS. Switch TLS off in the connection, or use the server's TLS port.`;
  }
  if (/SELF_SIGNED|UNABLE_TO_|DEPTH_ZERO/.test(code)) {
    return (
      `The certificate of ${at} is not signed by an authority this machine trusts (${code}). ` +
      'Add that authority to the system or to NODE_EXTRA_CA_CERTS.'
    );
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `The certificate of ${at} was made for another host name. Use the name the certificate holds.`;
  }
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of ${at} has expired. The server needs a new one.`;
  return `TLS with ${at} failed: ${message}. Check that this is the server's TLS port.`;
}
