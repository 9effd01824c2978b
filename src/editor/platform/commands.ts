/** Registers commands so that their handlers simply throw: this is the only place that shows an error. */
import * as vscode from 'vscode';
import { ConnectionError, InputError, ScriptFailure, ScriptRefusal } from '../../base/errors';
import { COMMANDS, type CommandId, type WriteCommandId } from '../contributions';
import { showError } from './notify';
import type { Services } from './services';
import { canAllowWrites, LockedError, requireWritable } from './writeLocks';

type Handler = (...args: never[]) => unknown;

/** A command whose error is shown as one sentence with Retry (where it can help) and Show Log. */
export function registerCommand(
  log: vscode.LogOutputChannel,
  id: Exclude<CommandId, WriteCommandId>,
  handler: Handler,
): vscode.Disposable {
  return register(log, id, handler);
}

/**
 * A command that writes. Whatever it is called with, it is refused at once where an argument is a node of a read-only
 * connection, so that not even a read is sent. The executors refuse its scripts besides.
 */
export function registerWriteCommand(
  services: Pick<Services, 'log' | 'connections' | 'locks'>,
  id: WriteCommandId,
  handler: Handler,
): vscode.Disposable {
  return register(services.log, id, (...args) => {
    for (const id of new Set(args.flatMap(findConnectionIds))) requireWritable(services, id);
    return handler(...args);
  });
}

/** The connections of a node, or of a selection of nodes. */
function findConnectionIds(argument: unknown): string[] {
  if (Array.isArray(argument)) return argument.flatMap(findConnectionIds);
  if (typeof argument !== 'object' || argument === null) return [];
  const { connectionId } = argument as { readonly connectionId?: unknown };
  return typeof connectionId === 'string' ? [connectionId] : [];
}

function register(log: vscode.LogOutputChannel, id: string, handler: Handler): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...args: never[]) => {
    try {
      // The menu of a row hands over two arguments, the second of which is a list or nothing; the first is missing
      // when the row went meanwhile. A view's title hands over a list, be it empty.
      if (args.length >= 2 && (args[0] ?? undefined) === undefined && !Array.isArray(args[1])) {
        throw new InputError('That row is not there any more. Choose again.');
      }
      return await handler(...args);
    } catch (error) {
      await report(log, error, () => vscode.commands.executeCommand(id, ...args));
      return undefined;
    }
  });
}

/** The sentence a person reads for any error. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function report(log: vscode.LogOutputChannel, error: unknown, again: () => unknown): Promise<void> {
  if (error instanceof vscode.CancellationError) return;
  const known = [ScriptRefusal, ConnectionError, ScriptFailure, InputError].some((family) =>
    family.is(error),
  );
  if (!known) log.error(error instanceof Error ? error : String(error));
  const message = describeError(error);
  if (LockedError.isLocked(error)) return reportLock(error, again);
  // A write whose outcome is unknown is never offered for repetition: it may have happened.
  const canRetry = ConnectionError.is(error) && error.code !== 'outcomeUnknown';
  const chosen = await showError(message, ...(canRetry ? ['Retry', 'Show Log'] : ['Show Log']));
  if (chosen === 'Retry') await again();
  if (chosen === 'Show Log') await vscode.commands.executeCommand(COMMANDS.showLog);
}

/** Says that a connection takes no writes. Where the user may change that, the command goes on once that is done. */
async function reportLock(error: LockedError, again: () => unknown): Promise<void> {
  if (!canAllowWrites(error.lock)) {
    await showError(error.message);
    return;
  }
  if ((await showError(error.message, ALLOW_WRITES)) !== ALLOW_WRITES) return;
  const node = { kind: 'connection', connectionId: error.connectionId };
  if (await vscode.commands.executeCommand<boolean>(COMMANDS.allowWrites, node)) await again();
}

const ALLOW_WRITES = 'Allow Writes…';
