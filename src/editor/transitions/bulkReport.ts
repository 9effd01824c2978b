/** What is said and kept of a move of many jobs. */
import type { BulkReport } from '../../queue/bulk';
import { showInfo, showWarning } from '../platform/notify';
import type { Services } from '../platform/services';
import { oneLine, plural } from '../platform/text';

/** `12 done, 3 skipped, 1 failed`, and what comes after when it did not end by itself. */
export function summarize({ done, skipped, failed, end }: BulkReport): string {
  const parts = [`${done.length} done`];
  if (skipped.length > 0) parts.push(`${skipped.length} skipped`);
  if (failed.length > 0) parts.push(`${failed.length} failed`);
  return `${parts.join(', ')}${end === 'complete' ? '' : `; ${end} before the end`}`;
}

/** Shows the report; every job that was not moved is in the log, with the reason. */
export function showReport({ log }: Services, title: string, report: BulkReport): void {
  const left = [...report.failed, ...report.skipped];
  for (const { id, reason } of left) log.warn(`${title}: ${oneLine(id, 100)}: ${reason}`);
  if (left.length === 0 && report.end === 'complete') {
    void showInfo(`${title}: ${plural(report.done.length, 'job')} done.`);
    return;
  }
  const [first] = left;
  const reason = first ? ` ${oneLine(first.id, 40)}: ${first.reason}` : '';
  const rest = left.length > 1 ? ` The log has the other ${left.length - 1}.` : '';
  void showWarning(`${title}: ${summarize(report)}.${reason}${rest}`);
}
