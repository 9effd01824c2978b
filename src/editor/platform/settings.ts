import * as vscode from 'vscode';
import { SETTINGS, type SettingTypes } from '../contributions';

/** The value of a setting, its default from the manifest where the user set none. */
export function readSetting<K extends keyof SettingTypes>(name: K): SettingTypes[K] {
  return vscode.workspace.getConfiguration(SETTINGS).get<SettingTypes[K]>(name) as SettingTypes[K];
}

/** Writes a setting where it is defined, which is for the user unless the workspace has a value of its own. */
export async function writeSetting<K extends keyof SettingTypes>(
  name: K,
  value: SettingTypes[K],
): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(SETTINGS);
  const isOfWorkspace = configuration.inspect(name)?.workspaceValue !== undefined;
  const { Global, Workspace } = vscode.ConfigurationTarget;
  await configuration.update(name, value, isOfWorkspace ? Workspace : Global);
}
