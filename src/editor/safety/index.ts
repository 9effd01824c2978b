/** What keeps people from breaking a Redis by accident: locks, consent, and a journal of what was done. */
import * as vscode from 'vscode';
import { TRANSITIONS } from '../../queue/stateMachine';
import { COMMANDS, CONTEXT_KEYS } from '../contributions';
import { describeFailure } from '../platform/action';
import { describeError, registerCommand } from '../platform/commands';
import { Journal } from '../platform/journal';
import type { ConnectionNode } from '../platform/nodes';
import { pickConnection } from '../platform/pick';
import type { PoolSafety, Services } from '../platform/services';
import { WriteLocks } from '../platform/writeLocks';
import { askForConsent } from './consent';
import { JournalDocument } from './journalDocument';

/** What the connections need of it, and the services. Nothing is read yet. */
export function createSafety(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Pick<Services, 'locks' | 'journal'> & { poolSafety: PoolSafety } {
  const locks = new WriteLocks(() => vscode.workspace.isTrusted);
  const journal = new Journal(vscode.Uri.joinPath(context.globalStorageUri, 'journal').fsPath, {
    onProblem: (error) => log.error(`The journal could not be written: ${describeError(error)}`),
  });
  const poolSafety: PoolSafety = {
    async admit(connection, reader) {
      const isAllowed = await locks.admit(connection, () => askForConsent(connection, reader, false));
      if (!isAllowed) throw new vscode.CancellationError();
    },
    report: (connection, address, calls, outcome) =>
      void journal.record({
        connection: connection.name,
        address,
        queue: calls[0]?.queueKey ?? '',
        action: nameAction(calls.map((call) => call.script)),
        ids: [],
        outcome: 'error' in outcome ? describeFailure(outcome.error) : 'done',
        scripts: calls.map((call) => call.script),
      }),
  };
  return { locks, journal, poolSafety };
}

/** Registers the commands that lift and set locks, and the journal. */
export function registerSafety(services: Services): void {
  const { context, log, connections, locks, journal } = services;
  const document = new JournalDocument(journal);

  const allow = async (node?: ConnectionNode): Promise<boolean> => {
    const connection = await pickConnection(services, node?.connectionId);
    return locks.allow(connection, async () => {
      const isLocked = locks.findLock(connection) !== undefined;
      return askForConsent(connection, await connections.requireExecutor(connection.id), isLocked);
    });
  };
  const block = async (node?: ConnectionNode) => {
    locks.block(await pickConnection(services, node?.connectionId));
  };
  const tellPalette = () => {
    const list = connections.list();
    const isReadOnly = list.length > 0 && list.every((c) => locks.findLock(c) !== undefined);
    void vscode.commands.executeCommand('setContext', CONTEXT_KEYS.isReadOnly, isReadOnly);
  };

  context.subscriptions.push(
    document,
    registerCommand(log, COMMANDS.allowWrites, allow),
    registerCommand(log, COMMANDS.blockWrites, block),
    registerCommand(log, COMMANDS.showJournal, () => document.show()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => locks.announce()),
    locks.onDidChange(tellPalette),
    connections.onDidChange(tellPalette),
  );
  tellPalette();
}

/** The title of the transition that scripts belong to; of other scripts their own names. */
function nameAction(scripts: readonly string[]): string {
  const transition = TRANSITIONS.find((row) =>
    scripts.every((script) => row.scripts.some((s) => s === script)),
  );
  return transition?.title ?? scripts.join(', ');
}
