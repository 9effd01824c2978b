/**
 * Messages to the user. A toast turns `[text](command:…)` into a link that runs a command, and much of what we say
 * holds names, ids and sentences from Redis, so every text is made plain here, and nowhere else is a toast shown.
 */
import * as vscode from 'vscode';
import { plainLabel, plainMessage } from './text';

/** Says that something worked, or that there is nothing to do. Returns the chosen action. */
export function showInfo(text: string, ...actions: string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(plainMessage(text), ...actions);
}

/** Says that something worked in part, or wants a decision. Returns the chosen action. */
export function showWarning(text: string, ...actions: string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(plainMessage(text), ...actions);
}

/** Says that something failed. Returns the chosen action. */
export function showError(text: string, ...actions: string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(plainMessage(text), ...actions);
}

/** Asks before something is done; false when the user leaves. `detail` stands below, one line each. */
export async function confirm(
  question: string,
  action: string,
  detail: readonly string[] = [],
): Promise<boolean> {
  const options = { modal: true, detail: detail.map(plainMessage).join('\n') };
  try {
    return (await vscode.window.showWarningMessage(plainMessage(question), options, action)) === action;
  } catch {
    // VS Code refuses modal dialogs where it tests extensions. The question is asked all the same.
    return confirmByPick(question, action, detail);
  }
}

async function confirmByPick(question: string, action: string, detail: readonly string[]): Promise<boolean> {
  const items = [{ label: action, detail: plainLabel(detail.join(' · '), 600) }, { label: 'Cancel' }];
  const options = { title: plainLabel(question, 300), ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(items, options))?.label === action;
}

/** Runs a task under a toast with its progress and, where the task looks at the token, Cancel. */
export function withProgress<T>(
  title: string,
  cancellable: boolean,
  task: (report: (message: string) => void, token: vscode.CancellationToken) => Thenable<T>,
): Thenable<T> {
  const options = { location: vscode.ProgressLocation.Notification, title: plainMessage(title), cancellable };
  return vscode.window.withProgress(options, (progress, token) =>
    task((message) => progress.report({ message: plainMessage(message) }), token),
  );
}
