import type { ServerDescription } from '../../queue/server';
import type { DiscoveryResult } from '../../queue/types';
import type { Connection } from '../platform/services';
import { oneLine } from '../platform/text';

/** What is said of a server before it is written to, a line each. */
export function describeConsent(
  connection: Pick<Connection, 'prefixes' | 'isProduction'>,
  server: ServerDescription,
  queues: DiscoveryResult | undefined,
): string[] {
  const { product = 'Redis', version, mode, role, primaryAddress, connectedClients } = server;
  const words = [
    version === undefined ? `${product} of unknown version` : `${product} ${version}`,
    role === 'replica' ? `replica of ${primaryAddress ?? 'another server'}` : (role ?? 'role unknown'),
    ...(mode && mode !== 'standalone' ? [mode] : []),
  ];
  const prefixes = connection.prefixes.map((prefix) => oneLine(prefix, 40)).join(', ');
  return [
    ...(connection.isProduction ? ['PRODUCTION, as its label says'] : []),
    `Address: ${oneLine(server.address, 200)}`,
    `Server: ${oneLine(words.join(', '), 200)}`,
    `Connected clients: ${connectedClients ?? 'unknown (INFO is denied)'}`,
    `Queues under ${prefixes}: ${countQueues(queues)}`,
    'A tunnel makes production look local: is this the server you mean?',
  ];
}

function countQueues(found: DiscoveryResult | undefined): string {
  if (!found) return 'unknown (SCAN is denied)';
  return found.end === 'complete' ? `${found.queues.length}` : `at least ${found.queues.length}`;
}
