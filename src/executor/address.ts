/** Prints where a server is. A password never appears in what these functions print. */
import type { CommonOptions, HostPort, SentinelOptions, Target } from './options';

/** What is printed of a connection: everything but how long to wait and the passwords. */
export type Addressed = Target & Pick<CommonOptions, 'username' | 'database' | 'tls'>;

/** `redis://user@host:port/db`: the whole address of a server in the form that `parseConnectionUrl` reads. */
export function formatAddress(options: Addressed): string {
  const user = options.username ? `${encodeURIComponent(options.username)}@` : '';
  const database = options.database ?? 0;
  const secure = options.tls ? 'rediss' : 'redis';
  if ('socketPath' in options) {
    const query = database === 0 ? '' : `?db=${database}`;
    return `unix://${user}${encodeURI(options.socketPath).replace(/[?#@]/g, encodeURIComponent)}${query}`;
  }
  if ('sentinel' in options) {
    const { master, nodes } = options.sentinel;
    const name = encodeURIComponent(master);
    return `${secure}-sentinel://${user}${formatNodes(nodes)}/${database}#${name}`;
  }
  return `${secure}://${user}${formatHostPort(options)}/${database}`;
}

/** Where a connection leads, for a sentence: `host:port`, the path of a socket, or the name of a primary. */
export function formatPlace(target: Target): string {
  if ('socketPath' in target) return target.socketPath;
  if ('sentinel' in target) return `the primary "${target.sentinel.master}"`;
  return formatHostPort(target);
}

/** `host:port`, with brackets around an IPv6 address. */
export const formatHostPort = ({ host, port }: HostPort): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** `host:port,host:port`. */
export const formatNodes = (nodes: SentinelOptions['nodes']): string => nodes.map(formatHostPort).join(',');
