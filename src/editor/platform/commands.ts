/** Registers commands so that their handlers simply throw: this is the only place that shows an error. */
import * as vscode from 'vscode';
import { ConnectionError, InputError, ScriptFailure, ScriptRefusal } from '../../base/errors';
import { COMMANDS } from '../contributions';
import { showError } from './notify';

type Handler = (...args: never[]) => unknown;

/** A command whose error is shown as one sentence with Retry (where it can help) and Show Log. */
export function registerCommand(
  log: vscode.LogOutputChannel,
  id: string,
  handler: Handler,
): vscode.Disposable {
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
  // A write whose outcome is unknown is never offered for repetition: it may have happened.
  const canRetry = ConnectionError.is(error) && error.code !== 'outcomeUnknown';
  const chosen = await showError(message, ...(canRetry ? ['Retry', 'Show Log'] : ['Show Log']));
  if (chosen === 'Retry') await again();
  if (chosen === 'Show Log') await vscode.commands.executeCommand(COMMANDS.showLog);
}
