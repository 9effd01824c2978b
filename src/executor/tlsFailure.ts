/** Sentences about TLS: what the certificate, the client's certificate or the handshake lacks, and what to do. */
import type { TlsOptions } from './options';

/** A file of the TLS settings that cannot be used. */
export class TlsFileError extends Error {
  constructor(
    readonly field: 'caFile' | 'certFile' | 'keyFile',
    readonly path: string,
    options: ErrorOptions,
  ) {
    super(`${field} ${path}`, options);
    this.name = 'TlsFileError';
  }
}

const FILE_NAMES = { caFile: 'authority', certFile: 'client certificate', keyFile: 'client key' } as const;
const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_|DEPTH_ZERO|CERT_UNTRUSTED|INVALID_CA/;

export const isTlsFailure = (code: string, message: string): boolean =>
  /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|HOSTNAME_)/.test(code) ||
  code === 'EPROTO' ||
  code === 'ERR_MISSING_PASSPHRASE' ||
  UNTRUSTED.test(code) ||
  /ssl routines|certificate/i.test(message);

/**
 * @param at the server's place, as sentences name it.
 * @param code that of the Node error.
 */
export function describeTlsFailure(at: string, code: string, cause: Error, tls: TlsOptions): string {
  const { message } = cause;
  if (cause instanceof TlsFileError) return describeFile(cause);
  if (/wrong version number|packet length too long|unknown protocol|http request/i.test(message)) {
    return `${at} does not use TLS. Switch TLS off in the connection, or use the server's TLS port.`;
  }
  const aboutClient = describeClientCertificate(at, `${code} ${message}`, tls);
  if (aboutClient !== undefined) return aboutClient;
  if (UNTRUSTED.test(code)) {
    const whom = tls.caFile ? `the authority in ${tls.caFile}` : 'an authority this machine trusts';
    const way = tls.caFile
      ? "Give the PEM file of the server's authority as caFile."
      : 'Give the PEM file of that authority as caFile in the connection.';
    return `The certificate of ${at} is not signed by ${whom} (${code}). ${way}`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return describeOtherName(at, cause);
  if (code === 'CERT_HAS_EXPIRED') {
    return `The certificate of ${at}, or that of its authority, has expired. The server needs a new one.`;
  }
  if (code === 'CERT_NOT_YET_VALID') {
    return `The certificate of ${at} is not valid yet. Check the clock of this machine and of the server.`;
  }
  return `TLS with ${at} failed: ${message}. Check that this is the server's TLS port.`;
}

function describeFile({ field, path, cause }: TlsFileError): string {
  const what = `The file of the ${FILE_NAMES[field]} (${field}), ${path},`;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ENOENT') return `${what} does not exist. Correct its path in the connection.`;
  if (code === 'EACCES' || code === 'EPERM') {
    return `${what} may not be read by your user. Change its permissions.`;
  }
  if (/PASSPHRASE|CRYPTO_INTERRUPTED|BAD_DECRYPT|BAD_PASSWORD/i.test(code)) {
    return `${what} is encrypted, which is not supported. Give a key without a passphrase.`;
  }
  if (/KEY_VALUES_MISMATCH/.test(code))
    return `${what} does not belong to the client certificate. Give its own key.`;
  if (code.startsWith('E') && !code.startsWith('ERR_')) return `${what} cannot be read (${code}).`;
  return `${what} is no PEM file that can be used. It begins with a line such as -----BEGIN …-----.`;
}

/** Alerts with which a server turns a client away; which one it sends depends on the version of TLS. */
function describeClientCertificate(at: string, text: string, tls: TlsOptions): string | undefined {
  const isMissing = /alert.certificate.required/i.test(text);
  const isRefused =
    /alert.(bad.certificate|unsupported.certificate|certificate.(revoked|expired|unknown)|unknown.ca|access.denied)/i;
  // Before TLS 1.3 a missing certificate is told as a failed handshake only.
  const isHandshake = /alert.handshake.failure/i.test(text);
  if ((isMissing || isHandshake) && !tls.certFile) {
    return `${at} wants a client certificate. Give the PEM files of yours as certFile and keyFile in the connection.`;
  }
  if (isMissing || isRefused.test(text)) {
    const file = tls.certFile ? ` in ${tls.certFile}` : '';
    return `${at} refused the client certificate${file}. Give one that an authority of the server has signed and that has not expired.`;
  }
  return undefined;
}

/** Node tells the name asked for and those the certificate holds. */
function describeOtherName(at: string, cause: Error): string {
  const asked = 'host' in cause ? ` and not for "${String(cause.host)}"` : '';
  const cert =
    'cert' in cause ? (cause.cert as { subjectaltname?: string; subject?: { CN?: string } }) : undefined;
  const held = cert?.subjectaltname ?? cert?.subject?.CN;
  const names = held === undefined ? 'for another name' : `for ${held}`;
  return `The certificate of ${at} was made ${names}${asked}. Use a name it holds as host, or give that name as servername in the connection.`;
}
