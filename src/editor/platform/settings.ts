import * as vscode from 'vscode';
import { SETTINGS, type SettingTypes } from '../contributions';

/** The value of a setting, its default from the manifest where the user set none. */
export function readSetting<K extends keyof SettingTypes>(name: K): SettingTypes[K] {
  return vscode.workspace.getConfiguration(SETTINGS).get<SettingTypes[K]>(name) as SettingTypes[K];
}

/** Writes a setting for the user, in every workspace. */
export async function writeSetting<K extends keyof SettingTypes>(
  name: K,
  value: SettingTypes[K],
): Promise<void> {
  await vscode.workspace.getConfiguration(SETTINGS).update(name, value, vscode.ConfigurationTarget.Global);
}
