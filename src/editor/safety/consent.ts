/** The question before the first write of a window: it shows where the write would go, for a tunnel hides that. */
import type { Executor } from '../../executor/types';
import type { ServerDescription } from '../../queue/server';
import type { DiscoveryResult } from '../../queue/types';
import { loadEngine } from '../platform/loadEngine';
import { confirm } from '../platform/notify';
import type { Connection } from '../platform/services';
import { oneLine } from '../platform/text';
import { describeConsent } from './describeConsent';

/** How many keys are walked over to count the queues: what was known before may be of another server. */
const MAX_KEYS = 20_000;

/**
 * Asks whether a connection may be written to in this window.
 * @param isUnlocking the user wants to lift a lock; otherwise a write waits for the answer.
 * @throws ConnectionError when the server cannot be asked about itself.
 */
export async function askForConsent(
  connection: Connection,
  reader: Executor,
  isUnlocking: boolean,
): Promise<boolean> {
  const { describeServer, discoverQueues } = await loadEngine();
  const server: ServerDescription = await describeServer(reader);
  // SCAN may be denied, or a primary too busy for it; then the count is not known, which is no reason to stop.
  const queues: DiscoveryResult | undefined = await discoverQueues(reader, connection.prefixes, {
    maxKeys: MAX_KEYS,
  }).catch(() => undefined);
  const name = oneLine(connection.name);
  const question = isUnlocking
    ? `Allow writes to "${name}" until this window closes?`
    : `This is the first write to "${name}" in this window. Allow writes?`;
  return confirm(question, 'Allow Writes', describeConsent(connection, server, queues));
}
