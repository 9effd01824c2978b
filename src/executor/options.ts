/** A host and a port. IPv6 addresses are without brackets here. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** A server that listens on a Unix socket of this machine. */
export interface SocketPath {
  readonly socketPath: string;
}

/** A primary that several sentinels watch; they are asked where it is each time a connection is made. */
export interface SentinelTarget {
  readonly sentinel: SentinelOptions;
}

export interface SentinelOptions {
  /** The name by which the sentinels know the primary. */
  readonly master: string;
  readonly nodes: readonly HostPort[];
  /** The sentinels' own user and password, which are not the server's. */
  readonly username?: string;
  readonly password?: string;
  /** Whether the sentinels speak TLS; by default they do when the server does. */
  readonly tls?: boolean;
}

/** How TLS is spoken. Paths are those of PEM files, read at each connection; `~/` is the home directory. */
export interface TlsOptions {
  /** The authorities to trust instead of those the machine trusts. */
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  /** The name that the server's certificate must hold, where it is not the host. */
  readonly servername?: string;
  /** False takes any certificate, so that whoever stands in between can read and change everything. Default true. */
  readonly rejectUnauthorized?: boolean;
}

export interface CommonOptions {
  readonly username?: string;
  readonly password?: string;
  readonly database?: number;
  /** True trusts whom the machine trusts. */
  readonly tls?: boolean | TlsOptions;
  readonly connectTimeoutMs?: number;
  readonly commandTimeoutMs?: number;
  /** How long to ask again while the server loads its data. Default 5 s. */
  readonly loadingWaitMs?: number;
}

export type Target = HostPort | SocketPath | SentinelTarget;

/** How to reach a server. No password of it is part of what is stored in settings. */
export type ConnectionOptions = CommonOptions & Target;
