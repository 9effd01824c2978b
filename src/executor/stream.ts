/** Opens the socket of a connection: TCP, a Unix socket, or TLS with the files that the options name. */
import { readFile } from 'node:fs/promises';
import { connect, isIP, type Socket } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  checkServerIdentity,
  createSecureContext,
  type ConnectionOptions as NodeTlsOptions,
  type SecureContextOptions,
  connect as tlsConnect,
} from 'node:tls';
import { AbstractConnector } from 'ioredis';
import type { CommonOptions, HostPort, SocketPath, TlsOptions } from './options';
import { TlsFileError } from './tlsFailure';

/** Where a socket can be opened at once, without asking anybody for the way. */
export type DirectOptions = CommonOptions & (HostPort | SocketPath);

/** How long the other side may take to close before the socket is destroyed. */
const DISCONNECT_TIMEOUT_MS = 2000;

/** The library takes a class of which it makes one instance; this one asks `open` for the socket. */
export const connectorFor = (open: () => Promise<Socket>) =>
  class extends AbstractConnector {
    constructor() {
      super(DISCONNECT_TIMEOUT_MS);
    }

    override async connect(): Promise<Socket> {
      this.connecting = true;
      const stream = await open();
      stream.once('error', (error) => {
        this.firstError = error;
      });
      if (!this.connecting) stream.destroy();
      this.stream = stream;
      return stream;
    }
  };

/** Starts to connect. @throws TlsFileError when a file of the TLS options cannot be used. */
export async function openStream(options: DirectOptions): Promise<Socket> {
  if ('socketPath' in options) return connect({ path: options.socketPath });
  const { host, port, tls } = options;
  if (!tls) return connect({ host, port });
  return tlsConnect({ host, port, ...(await readTlsOptions(tls === true ? {} : tls, host)) });
}

async function readTlsOptions(tls: TlsOptions, host: string): Promise<NodeTlsOptions> {
  const name = tls.servername ?? host;
  const [ca, cert, key] = await Promise.all([
    readPem('caFile', tls.caFile),
    readPem('certFile', tls.certFile),
    readPem('keyFile', tls.keyFile),
  ]);
  // Each file is tried by itself first, so that an error can name the one that is at fault.
  tryPem('caFile', tls.caFile, ca && { ca });
  tryPem('certFile', tls.certFile, cert && { cert });
  tryPem('keyFile', tls.keyFile, key && { key });
  tryPem('keyFile', tls.keyFile, cert && key && { cert, key });
  return {
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    ...(isIP(name) ? {} : { servername: name }),
    rejectUnauthorized: tls.rejectUnauthorized ?? true,
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
  };
}

type FileField = TlsFileError['field'];

async function readPem(field: FileField, path: string | undefined): Promise<Buffer | undefined> {
  if (!path) return undefined;
  const full = path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
  try {
    return await readFile(full);
  } catch (cause) {
    throw new TlsFileError(field, path, { cause });
  }
}

function tryPem(field: FileField, path: string | undefined, options: SecureContextOptions | undefined): void {
  if (!options) return;
  try {
    createSecureContext(options);
  } catch (cause) {
    throw new TlsFileError(field, path ?? '', { cause });
  }
}
