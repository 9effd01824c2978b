/** Which VS Code the tests run in. */
import { HOSTS } from '../paths';

/** A desktop VS Code, or the server build in a browser. */
export type Host = 'desktop' | 'code-server';

/** What the choice depends on; a test hands in machines of its own. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** ECHOMQ_TEST_HOST and DISPLAY or WAYLAND_DISPLAY count. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Gets a desktop VS Code, or throws. */
  readonly download: () => Promise<unknown>;
}

const THIS_MACHINE: Machine = {
  platform: process.platform,
  environment: process.env,
  download: async () => (await import('@vscode/test-electron')).downloadAndUnzipVSCode({ cachePath: HOSTS }),
};

/** True where windows can be shown. */
export const hasDisplay = ({ platform, environment }: Pick<Machine, 'platform' | 'environment'>) =>
  platform !== 'linux' || Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);

/**
 * The host named by `ECHOMQ_TEST_HOST`, else a desktop VS Code where windows can be shown and it can be downloaded,
 * else the server build. @throws Error when the variable names something else.
 */
export async function chooseHost(machine: Machine = THIS_MACHINE): Promise<Host> {
  const wanted = machine.environment.ECHOMQ_TEST_HOST;
  if (wanted === 'desktop' || wanted === 'code-server') return wanted;
  if (wanted) throw new Error(`ECHOMQ_TEST_HOST is "${wanted}"; it can be "desktop" or "code-server".`);
  if (!hasDisplay(machine)) return 'code-server';
  try {
    await machine.download();
    return 'desktop';
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`No desktop VS Code (${reason}); the server build is used instead.`);
    return 'code-server';
  }
}
