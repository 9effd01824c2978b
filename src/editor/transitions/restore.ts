/** Brings removed jobs back from the backup that was made before they were removed. */
import { InputError } from '../../base/errors';
import { describeTransition } from '../../queue/stateMachine';
import { performAction } from '../platform/action';
import type { StoredBackup } from '../platform/backups';
import { loadEngine } from '../platform/loadEngine';
import { withProgress } from '../platform/notify';
import { pickConnection, pickOne } from '../platform/pick';
import type { Services } from '../platform/services';
import { formatSpan, oneLine, plainLabel, plural } from '../platform/text';
import { showReport, summarize } from './bulkReport';

/** @throws vscode.CancellationError when the user leaves. */
export async function restoreJobs(services: Services): Promise<void> {
  const backups = await services.backups.list();
  if (backups.length === 0) {
    throw new InputError('There is no backup: no job was removed from this editor, or all are back.');
  }
  const { path, header, batches } = await pickOne('Which jobs are to come back?', backups.map(toItem));
  const { queue: address } = header;
  const known = services.connections.find(header.connectionId);
  const { id: connectionId } = known ?? (await pickConnection(services, undefined, 'write'));
  const { Queue } = await loadEngine();
  const name = oneLine(address.queue, 60);
  try {
    const report = await withProgress(`Restoring jobs of ${name}`, true, (say, token) =>
      performAction(
        services,
        { connectionId, address, name: describeTransition('restore').title },
        (executor) => {
          if (executor.address !== header.server) {
            throw new InputError(
              `These jobs were removed from ${header.server}, not from ${executor.address}.`,
            );
          }
          const onProgress = ({ done, total }: { done: number; total: number }) => say(`${done} of ${total}`);
          return new Queue(executor, address).restoreJobs(batches, { cancellation: token, onProgress });
        },
        (result) => ({ ids: result.done, outcome: summarize(result) }),
      ),
    );
    for (const { id, reason } of report.remarks) services.log.warn(`Restored ${oneLine(id, 100)}: ${reason}`);
    showReport(services, `Restore to ${name}`, report);
    // A backup of which something is still missing is kept.
    if (report.end === 'complete' && report.skipped.length + report.failed.length === 0) {
      await services.backups.remove(path);
    }
  } finally {
    services.changes.fire({ connectionId, address });
  }
}

function toItem(backup: StoredBackup) {
  const { header, batches } = backup;
  const ids = batches.flatMap((batch) => batch.map(({ id }) => id));
  return {
    label: `${plural(ids.length, 'job')} of ${plainLabel(header.queue.queue, 60)}`,
    description: `removed ${formatSpan(Date.now() - header.atMs)} ago`,
    detail: `${plainLabel(header.server)} · ${plainLabel(ids.slice(0, 10).join(', '), 200)}`,
    value: backup,
  };
}
