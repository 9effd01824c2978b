/** Runs mocha suites inside the extension host of a real VS Code, against the packaged extension. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import {
  downloadAndUnzipVSCode,
  resolveCliArgsFromVSCodeExecutablePath,
  runTests,
} from '@vscode/test-electron';
import { build } from 'esbuild';
import { DIST, HOSTS, ROOT } from '../paths';
import { makeTemporaryFolder } from '../temporary';
import { findTestOutput } from '../testOutput';
import { launchBrowser } from './browser';
import { QUIET_SETTINGS } from './settings';
import { startVSCodeServer } from './vscodeServer';

export interface InHostRun {
  readonly vsix: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string>>;
  /** The folder that is opened. */
  readonly workspace: string;
}

const SUITE = join(DIST, 'test', 'editor');

/** Bundles the suites, so that they run on whatever Node.js the host has. */
export async function bundleSuites(): Promise<void> {
  rmSync(SUITE, { recursive: true, force: true });
  const source = join(ROOT, 'test', 'editor');
  const suites = readdirSync(source).filter((file) => file === 'index.ts' || file.endsWith('.test.ts'));
  await build({
    entryPoints: suites.map((file) => join(source, file)),
    outdir: SUITE,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}

/**
 * VS Code wants an extension under development. It gets an empty one, so that what is tested is the installed package
 * and not the sources.
 */
function writeDriver(): string {
  const driver = join(DIST, 'test', 'driver');
  mkdirSync(driver, { recursive: true });
  const manifest = { name: 'driver', publisher: 'echomq', version: '0.0.0', engines: { vscode: '^1.100.0' } };
  writeFileSync(join(driver, 'package.json'), JSON.stringify(manifest));
  return driver;
}

/** Runs the suites in the server build and a headless browser. Returns the exit code. */
export async function runInCodeServer(run: InHostRun): Promise<number> {
  const driver = writeDriver();
  const { vsix, settings, environment } = run;
  const server = await startVSCodeServer({ vsix, settings, environment, runsExtensionTests: true });
  const browser = await launchBrowser().catch(async (error) => {
    await server.stop();
    throw error;
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    // The workbench calls these two functions of the page: with the exit code, and with the host's console.
    const ended = new Promise<number>((resolve) => page.exposeFunction('codeAutomationExit', resolve));
    const noise: string[] = [];
    await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
      const text = format(...args);
      const own = findTestOutput(text);
      if (own === undefined) noise.push(text);
      else console.log(own);
    });
    await page.goto(
      server.address(run.workspace, [
        ['extensionDevelopmentPath', server.remoteUri(driver)],
        ['extensionTestsPath', server.remoteUri(join(SUITE, 'index.js'))],
        ['skipWelcome', 'true'],
        ['skipReleaseNotes', 'true'],
      ]),
    );
    let timer: NodeJS.Timeout | undefined;
    const hung = new Promise<number>((resolve) => {
      timer = setTimeout(() => {
        console.error(`The extension host gave no result in five minutes.\n${server.readLog()}`);
        resolve(1);
      }, 300000);
    });
    const code = await Promise.race([ended, hung]);
    clearTimeout(timer);
    if (code !== 0) console.error(`The workbench said:\n${noise.join('\n')}`);
    return code;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Runs the same suites in a desktop VS Code, downloading it when needed. @throws Error when it cannot be had. */
export async function runOnDesktop(run: InHostRun): Promise<number> {
  const folder = makeTemporaryFolder('desktop');
  try {
    const executable = await downloadAndUnzipVSCode({ cachePath: HOSTS });
    const folders = [
      '--user-data-dir',
      join(folder.path, 'data'),
      '--extensions-dir',
      join(folder.path, 'ext'),
    ];
    const user = join(folder.path, 'data', 'User');
    mkdirSync(user, { recursive: true });
    writeFileSync(join(user, 'settings.json'), JSON.stringify({ ...QUIET_SETTINGS, ...run.settings }));
    const [cli = executable] = resolveCliArgsFromVSCodeExecutablePath(executable);
    for (const vsix of run.vsix) {
      const shell = process.platform === 'win32';
      const installed = spawnSync(cli, [...folders, '--install-extension', vsix, '--force'], {
        encoding: 'utf8',
        shell,
      });
      if (installed.status !== 0) throw new Error(`Installing ${vsix} failed: ${installed.stderr}`);
    }
    return await runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: writeDriver(),
      extensionTestsPath: join(SUITE, 'index.js'),
      launchArgs: [run.workspace, ...folders, '--disable-workspace-trust'],
      extensionTestsEnv: { ...run.environment },
    });
  } finally {
    folder.remove();
  }
}
