/**
 * What `npm start` runs. `--host=desktop|code-server|none` chooses the VS Code, `--no-open` only prints the address.
 * Ctrl-C, or closing the desktop window, ends the demo and everything it started.
 */
import { type DemoOptions, startDemo } from './demo';

const HOSTS = ['desktop', 'code-server', 'none'] as const;

function readOptions(args: readonly string[]): DemoOptions {
  const wanted = args.find((argument) => argument.startsWith('--host='))?.slice('--host='.length);
  const host = HOSTS.find((name) => name === wanted);
  if (wanted !== undefined && !host) throw new Error(`--host is one of ${HOSTS.join(', ')}.`);
  const opensBrowser = !args.includes('--no-open') && !process.env.CI;
  return { opensBrowser, say: (line) => console.log(line), ...(host ? { host } : {}) };
}

async function main(): Promise<void> {
  let end: (() => void) | undefined;
  const asked = new Promise<void>((resolve) => {
    end = resolve;
  });
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A second Ctrl-C does not wait; what was started is still killed, and its files deleted, on the way out.
      if (isEnding) process.exit(1);
      isEnding = true;
      end?.();
    });
  }
  const starting = startDemo(readOptions(process.argv.slice(2)));
  const demo = await Promise.race([starting, asked]);
  if (demo) {
    console.log('Ctrl-C ends the demo.');
    await Promise.race([demo.closed, asked]);
    console.log('Ending the demo…');
  }
  await (await starting).stop();
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
