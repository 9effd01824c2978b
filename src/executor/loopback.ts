import { isIP } from 'node:net';
import type { Target } from './options';

/**
 * Whether a host is this machine whatever its name service says: 127.0.0.0/8, ::1 (either also written as an IPv6
 * address that holds an IPv4 one) and `localhost`. When in doubt it is not, for what is told apart by this is whether
 * one may write unasked. What listens there can still be a tunnel to another machine.
 */
function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase();
  if (name === 'localhost') return true;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(name)?.[1] ?? name;
  if (isIP(mapped) === 4) return mapped.startsWith('127.');
  return isIP(name) === 6 && /^[0:]*:0*1$/.test(name);
}

/** Whether a connection ends on this machine. Behind sentinels it ends wherever they say, so there it does not. */
export function isOnThisMachine(target: Target): boolean {
  if ('socketPath' in target) return true;
  return 'host' in target && isLoopbackHost(target.host);
}
