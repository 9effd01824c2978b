import * as vscode from 'vscode';
import { RESTRICTED_SETTINGS, SETTINGS, type SettingTypes } from '../contributions';

/**
 * The value of a setting, its default from the manifest where the user set none. What a workspace that is not trusted
 * says of servers does not count: the manifest asks VS Code for the same.
 */
export function readSetting<K extends keyof SettingTypes>(name: K): SettingTypes[K] {
  const configuration = vscode.workspace.getConfiguration(SETTINGS);
  if (isWorkspaceIgnored(name)) {
    const found = configuration.inspect<SettingTypes[K]>(name);
    return (found?.globalValue ?? found?.defaultValue) as SettingTypes[K];
  }
  return configuration.get<SettingTypes[K]>(name) as SettingTypes[K];
}

/** Writes a setting where it is defined, which is for the user unless the workspace has a value of its own. */
export async function writeSetting<K extends keyof SettingTypes>(
  name: K,
  value: SettingTypes[K],
): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(SETTINGS);
  const isOfWorkspace =
    !isWorkspaceIgnored(name) && configuration.inspect(name)?.workspaceValue !== undefined;
  const { Global, Workspace } = vscode.ConfigurationTarget;
  await configuration.update(name, value, isOfWorkspace ? Workspace : Global);
}

const isWorkspaceIgnored = (name: keyof SettingTypes) =>
  RESTRICTED_SETTINGS.includes(name) && !vscode.workspace.isTrusted;
