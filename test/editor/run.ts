/**
 * Runs the suites of this folder inside a real VS Code against the packaged extension. `npx tsx test/editor/run.ts`
 *
 * The suites reach their Redis by `ECHOMQ_TEST_REDIS_PORT`; the port of a server that nobody listens on is in
 * `ECHOMQ_TEST_DEAD_PORT`.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { chooseHost } from '../support/host/chooseHost';
import { packageEmptyExtension } from '../support/host/extraExtensions';
import { bundleSuites, runInCodeServer, runOnDesktop } from '../support/host/inHost';
import { requirePackage } from '../support/host/packageExtension';
import { ROOT } from '../support/paths';
import { findFreePort, startRedis } from '../support/redisServer';
import { makeTemporaryFolder } from '../support/temporary';

async function main(): Promise<number> {
  const host = await chooseHost();
  const vsix = [requirePackage(), packageEmptyExtension()];
  await bundleSuites();
  const workspace = makeTemporaryFolder('workspace');
  cpSync(join(ROOT, 'test', 'editor', 'workspace'), workspace.path, { recursive: true });
  const redis = await startRedis();
  try {
    const environment = {
      ECHOMQ_TEST_REDIS_PORT: `${redis.port}`,
      ECHOMQ_TEST_DEAD_PORT: `${await findFreePort()}`,
    };
    const settings = { 'echomq.connections': [{ name: 'Test', url: redis.url, prefixes: ['emq', 'bull'] }] };
    const runIn = host === 'desktop' ? runOnDesktop : runInCodeServer;
    return await runIn({ vsix, settings, environment, workspace: workspace.path });
  } finally {
    await redis.stop();
    workspace.remove();
  }
}

main().then(
  (code) => process.exit(code),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
