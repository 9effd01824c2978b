/** A cancellation that lower floors can look at; `vscode.CancellationToken` and test doubles both fit. */
export interface Cancellation {
  readonly isCancellationRequested: boolean;
}
