/**
 * A real VS Code for machines without a display: the server build of VS Code, installed from npm.
 *
 * The package's install scripts stay off, because they want compilers and downloads that tests do not need. What is
 * deleted below (assistants, SSH, Kerberos) is either huge or native and has no part in what is tested.
 * The folder appears by one rename when it is complete, so an interrupted install leaves nothing that looks whole.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isRunning } from '../child';
import { HOSTS } from '../paths';
import { findOnPath } from '../redisBinary';

/** VS Code 1.139.1. */
const VERSION = '4.139.1';
/** The major version of Node.js that this VS Code runs on. */
const NODE_VERSION = '24';

const DROPPED_PACKAGES = [
  '@github/copilot-sdk',
  '@microsoft/mxc-sdk',
  '@devcontainers/cli',
  '@vscode/sandbox-runtime',
  'ssh2',
  'kerberos',
  '@vscode/windows-registry',
  '@vscode/windows-process-tree',
  '@vscode/copilot-api',
];
const DROPPED_EXTENSIONS = ['copilot', 'mermaid-markdown-features', 'microsoft-authentication'];
/** Without these built, everything works but log files and Output channels. */
const NATIVE_PACKAGES = ['@vscode/spdlog', '@vscode/native-watchdog'];
const NPM_INSTALL = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];

/** An installed server build of VS Code. */
export interface CodeServer {
  /** The Node.js that runs it. */
  readonly node: string;
  /** The script that is the server. */
  readonly main: string;
}

/**
 * The environment for an npm that works in another folder than the one it may have been called from: what an outer
 * `npm run` says about its own package is left out, what the user says about registries and proxies is kept.
 */
export function outsideNpm(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own =
    /^(npm_(package|lifecycle)_.*|npm_config_(local|global)_prefix|npm_command|npm_node_execpath|INIT_CWD|NODE)$/i;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !own.test(name)));
}

/** Whether native parts can be built here. */
const canBuildNative = () =>
  [['g++', 'clang++'], ['make'], ['python3']].every((names) => findOnPath(names) !== undefined);

const nodePackage = () => `node-${process.platform}-${process.arch}`;

function describe(folder: string): CodeServer {
  const modules = join(folder, 'node_modules');
  return {
    node: join(modules, nodePackage(), 'bin', 'node'),
    main: join(modules, 'code-server', 'lib', 'vscode', 'out', 'server-main.js'),
  };
}

/** Installs the server build into `.vscode-test/` unless it is there. @throws Error with npm's last words. */
export function requireCodeServer(): CodeServer {
  if (process.platform === 'win32') throw new Error('The server build of VS Code does not run on Windows.');
  const name = `code-server-${VERSION}`;
  const folder = join(HOSTS, name);
  if (existsSync(join(folder, '.ok'))) return describe(folder);
  mkdirSync(HOSTS, { recursive: true });
  removeLeftovers(`${name}.partial-`);
  console.log(`Installing ${name} (VS Code for tests) into .vscode-test. This happens once.`);
  const partial = join(HOSTS, `${name}.partial-${process.pid}`);
  const removePartial = () => rmSync(partial, { recursive: true, force: true });
  process.once('exit', removePartial);
  try {
    install(partial);
    writeFileSync(join(partial, '.ok'), '');
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } finally {
    process.off('exit', removePartial);
    removePartial();
  }
  return describe(folder);
}

/** Deletes what an install that was killed left behind. */
function removeLeftovers(prefix: string): void {
  for (const entry of readdirSync(HOSTS)) {
    if (!entry.startsWith(prefix) || isRunning(Number(entry.slice(prefix.length)))) continue;
    rmSync(join(HOSTS, entry), { recursive: true, force: true });
  }
}

function install(folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const environment = outsideNpm(process.env);
  run(
    'npm',
    [...NPM_INSTALL, `${nodePackage()}@${NODE_VERSION}`, `code-server@${VERSION}`],
    folder,
    environment,
  );
  // From here on npm itself must run on the Node.js that VS Code will run on.
  const node = join(folder, 'node_modules', nodePackage());
  const inner = { ...environment, PATH: `${join(node, 'bin')}${delimiter}${process.env.PATH}` };
  const vscode = join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  trim(vscode);
  run('npm', [...NPM_INSTALL, '--omit=dev'], vscode, inner);
  run('npm', [...NPM_INSTALL, '--omit=dev'], join(vscode, 'extensions'), inner);
  if (!canBuildNative()) {
    console.log('No compiler, make or python3 here: Output channels of the tested VS Code stay empty.');
    return;
  }
  const build = ['rebuild', '--loglevel=error', ...NATIVE_PACKAGES];
  run('npm', build, vscode, { ...inner, npm_config_nodedir: node });
}

/** Deletes unwanted parts from the manifests and from the built-in extensions, and the address of the marketplace. */
function trim(vscode: string): void {
  type Manifest = Record<string, Record<string, unknown> | undefined>;
  for (const file of ['package.json', 'npm-shrinkwrap.json']) {
    editJson(join(vscode, file), (manifest) => {
      const packages = manifest.packages as Record<string, Manifest> | undefined;
      for (const part of [manifest as Manifest, packages?.['']]) {
        for (const name of DROPPED_PACKAGES) {
          delete part?.dependencies?.[name];
          delete part?.optionalDependencies?.[name];
        }
      }
    });
  }
  editJson(join(vscode, 'product.json'), (product) => {
    product.extensionsGallery = { serviceUrl: '' };
  });
  for (const name of DROPPED_EXTENSIONS) {
    rmSync(join(vscode, 'extensions', name), { recursive: true, force: true });
  }
}

function editJson(file: string, edit: (content: Record<string, unknown>) => void): void {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  edit(content);
  writeFileSync(file, JSON.stringify(content));
}

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): void {
  const result = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  if (result.status === 0) return;
  const reason = result.error?.message ?? `${result.stdout}${result.stderr}`.trim().slice(-2000);
  throw new Error(`${command} ${args.join(' ')} failed: ${reason}`);
}
