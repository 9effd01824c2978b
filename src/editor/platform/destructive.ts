/** The question before something is destroyed: what it will touch, and on production the name of the queue, typed. */
import * as vscode from 'vscode';
import type { QueueAddress } from '../../keys/keys';
import { describeDestruction, isNameTyped } from './describeDestruction';
import { confirm } from './notify';
import type { Connection, Connections } from './services';
import { oneLine } from './text';
import type { WriteLocks } from './writeLocks';

/** What is about to be destroyed. */
export interface Destruction {
  readonly connection: Connection;
  readonly queue: QueueAddress;
  /** A verb, as the button has it: `Remove`, `Drain`, `Obliterate`. */
  readonly action: string;
  /** How many jobs it touches. */
  readonly count: number;
  /** When the oldest and the newest of them were made, in ms since the epoch, where that is known. */
  readonly oldest?: number;
  readonly newest?: number;
  /** Some or all of their ids; the first are shown. */
  readonly ids?: readonly string[];
}

interface DestructionServices {
  readonly connections: Pick<Connections, 'requireConsent'>;
  readonly locks: WriteLocks;
}

/**
 * Settles when the user has agreed. Call it before anything is done: a read-only connection is refused here, and the
 * consent that a first write needs is asked for first, so that the last question is the one about the jobs.
 * @throws LockedError before anything is sent. @throws vscode.CancellationError when the user does not agree.
 */
export async function confirmDestructive(
  { connections, locks }: DestructionServices,
  destruction: Destruction,
): Promise<void> {
  const { connection, queue, action } = destruction;
  locks.requireUnlocked(connection);
  await connections.requireConsent(connection.id);
  const { question, detail } = describeDestruction(destruction, Date.now());
  if (!(await confirm(question, action, detail))) throw new vscode.CancellationError();
  if (connection.isProduction) await requireTypedName(action, queue);
}

async function requireTypedName(action: string, { queue }: QueueAddress): Promise<void> {
  const name = oneLine(queue, 400);
  const typed = await vscode.window.showInputBox({
    title: `${action} on production`,
    prompt: `Type the name of the queue to go on: ${name}`,
    ignoreFocusOut: true,
    validateInput: (text) =>
      isNameTyped(text, queue) ? undefined : `This is not the name of the queue, ${name}.`,
  });
  if (typed === undefined || !isNameTyped(typed, queue)) throw new vscode.CancellationError();
}
