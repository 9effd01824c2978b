/** Between the editor's addresses of files and the plain paths of the checks, in which includes are resolved. */
import * as vscode from 'vscode';

/** `file:///folder/name.lua`, decoded, so that names with blanks are found as an include writes them. */
export function toPath(uri: vscode.Uri): string {
  return `${uri.scheme}://${uri.authority}${uri.path}`;
}

/** The inverse of {@link toPath}; `undefined` for a path that leads out of every folder. */
export function toUri(path: string): vscode.Uri | undefined {
  const match = /^([^:/]+):\/\/([^/]*)(\/.*)$/.exec(path);
  if (!match?.[1] || !match[3]) return undefined;
  return vscode.Uri.from({ scheme: match[1], authority: match[2] ?? '', path: match[3] });
}
