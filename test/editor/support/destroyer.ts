/** An extension for tests: asks what every destructive command asks, destroys nothing, and says how that ended. */
import * as vscode from 'vscode';
import { confirmDestructive } from '../../../src/editor/platform/destructive';
import { WriteLocks } from '../../../src/editor/platform/writeLocks';

const CONNECTION = { id: 'local', name: 'Local', url: 'redis://127.0.0.1:6379/0', prefixes: ['emq'] };
const DAY_MS = 86_400_000;

export function activate(context: vscode.ExtensionContext): void {
  const locks = new WriteLocks(() => true);
  const connections = { find: () => CONNECTION, requireConsent: async () => {} };
  const destroy = async (
    connection: typeof CONNECTION & { isProduction?: boolean; isReadOnly?: boolean },
  ) => {
    const now = Date.now();
    try {
      await confirmDestructive(
        { connections, locks },
        {
          ...{ connection, queue: { prefix: 'emq', queue: 'emails' }, action: 'Obliterate', count: 12 },
          ...{ oldest: now - 9 * DAY_MS, newest: now - 3 * DAY_MS, ids: ['1', '2'] },
        },
      );
      void vscode.window.showInformationMessage('The user agreed.');
    } catch (error) {
      const isLeft = error instanceof vscode.CancellationError;
      void vscode.window.showInformationMessage(isLeft ? 'The user left.' : String(error));
    }
  };
  context.subscriptions.push(
    vscode.commands.registerCommand('destroyer.plain', () => destroy(CONNECTION)),
    vscode.commands.registerCommand('destroyer.production', () =>
      destroy({ ...CONNECTION, isProduction: true }),
    ),
    vscode.commands.registerCommand('destroyer.readOnly', () => destroy({ ...CONNECTION, isReadOnly: true })),
  );
}
