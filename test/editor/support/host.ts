/** What the suites share inside the extension host. */
import { Redis } from 'ioredis';
import * as vscode from 'vscode';
import { markTestOutput } from '../../support/testOutput';

/** The id of the extension under test. */
const EXTENSION_ID = 'echomq.echomq';

/** The extension under test. @throws Error when it is not installed. */
export function requireExtension(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension(EXTENSION_ID);
  if (!extension) throw new Error(`${EXTENSION_ID} is not installed in this VS Code.`);
  return extension;
}

/** Waits until `find` gives something, asking again and again. @throws Error that says what was waited for. */
export async function until<T>(
  what: string,
  find: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 15000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Prints a line among the test results. */
export const print = (text: string) => console.log(markTestOutput(`    ${text}`));

/** The port of the Redis that the extension's only connection points at. */
export const redisPort = () => Number(process.env.ECHOMQ_TEST_REDIS_PORT);

/** A client of that Redis; the suite disconnects it. */
export const connectToRedis = () => new Redis(redisPort());

/** A file of the open folder. */
export function workspaceFile(path: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error('No folder is open.');
  return vscode.Uri.joinPath(folder.uri, path);
}

/** Waits for a task that asks questions, and answers each with its first choice. */
async function acceptAll<T>(task: Thenable<T>): Promise<T> {
  let isRunning = true;
  const end = () => {
    isRunning = false;
  };
  task.then(end, end);
  while (isRunning) {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return task;
}

/** Lets the extension's only connection be written to in this window. */
export async function allowWrites(): Promise<void> {
  const isAllowed = await acceptAll(vscode.commands.executeCommand('echomq.connection.allowWrites'));
  if (isAllowed !== true) throw new Error('The connection takes no writes.');
}
