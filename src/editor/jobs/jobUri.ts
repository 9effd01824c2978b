/** The address of a job's document: connection, prefix, queue and id, each escaped, so any character is safe. */
import * as vscode from 'vscode';
import type { QueueAddress } from '../../keys/keys';
import { DATA_SCHEME, JOB_SCHEME } from '../contributions';
import { cut } from '../platform/text';

export interface JobAddress {
  readonly connectionId: string;
  readonly address: QueueAddress;
  readonly jobId: string;
}

/** The address of the job's document. The title of the tab is the last part of the path, the identity is in the query. */
export const jobUri = (job: JobAddress): vscode.Uri => makeUri(JOB_SCHEME, job, '');

/** The address of the file with the job's data. */
export const dataUri = (job: JobAddress): vscode.Uri => makeUri(DATA_SCHEME, job, '.json');

function makeUri(scheme: string, { connectionId, address, jobId }: JobAddress, ending: string): vscode.Uri {
  const title = cut(`${address.queue} #${jobId}`.replace(/[/\\?#%\p{Cc}\p{Cf}\p{Cs}]/gu, '_'), 80);
  const query = JSON.stringify([connectionId, address.prefix, address.queue, jobId]);
  return vscode.Uri.from({ scheme, path: `/${title}${ending}`, query });
}

/** @returns `undefined` for a URI that was not made here. */
export function parseJobUri(uri: vscode.Uri): JobAddress | undefined {
  try {
    const parts: unknown = JSON.parse(uri.query);
    if (!Array.isArray(parts) || parts.length !== 4 || parts.some((p) => typeof p !== 'string'))
      return undefined;
    const [connectionId, prefix, queue, jobId] = parts as [string, string, string, string];
    return { connectionId, address: { prefix, queue }, jobId };
  } catch {
    return undefined;
  }
}
