/** Lua checks in the editor: errors while typing, and quick fixes. */
import * as vscode from 'vscode';
import type { Services } from '../platform/services';
import { LuaChecks } from './checks';
import { LuaQuickFixes } from './quickFixes';

/** Checks every open Lua file from now on. Files that are neither transition scripts nor their includes stay silent. */
export function registerLuaLanguage({ context, log }: Pick<Services, 'context' | 'log'>): void {
  const checks = new LuaChecks(log);
  context.subscriptions.push(
    checks,
    vscode.languages.registerCodeActionsProvider(
      { pattern: '**/*.lua' },
      new LuaQuickFixes(checks),
      LuaQuickFixes.metadata,
    ),
  );
}
