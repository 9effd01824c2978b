/** The tooltip of a job row, read when it is asked for. A plain string: nothing in it is rendered as Markdown. */
import type { JobData } from '../../queue/types';
import { indentJson } from '../platform/json';
import { loadEngine } from '../platform/loadEngine';
import type { JobNode } from '../platform/nodes';
import type { Services } from '../platform/services';
import { formatBytes, oneLine, plainLines } from '../platform/text';

const MAX_LINES = 12;
const MAX_REASON_LINES = 6;
const MAX_CHARACTERS = 1200;

/** Why the job failed, and the first lines of its data, or their size where that is too long to fetch unasked. */
export async function loadTooltip(services: Services, node: JobNode): Promise<string> {
  const { row, address } = node;
  if (!row.exists) return `The id ${oneLine(row.id)} is in ${row.state}, but its job is gone.`;
  const executor = await services.connections.requireExecutor(node.connectionId);
  const { Queue } = await loadEngine();
  const data = await new Queue(executor, address).readData(row.id);
  const { failedReason } = row;
  const reason =
    failedReason && 'text' in failedReason
      ? ['failed because:', ...firstLines(failedReason.text, MAX_REASON_LINES)]
      : [];
  return [
    `${oneLine(row.name ?? '')} #${oneLine(row.id)} (${row.state})`,
    ...(row.problem ? [oneLine(row.problem.message, 300)] : []),
    ...reason,
    ...(row.problem ? [] : describeData(data)),
  ].join('\n');
}

function describeData(data: JobData | undefined): string[] {
  if (!data) return ['no data'];
  if (data.text === undefined) return [`data of ${formatBytes(data.bytes)}; open the job to see it`];
  return ['data:', ...firstLines(indentJson(data.text), MAX_LINES)];
}

function firstLines(text: string, max: number): string[] {
  const lines = plainLines(text).slice(0, MAX_CHARACTERS).split('\n');
  return lines.length > max ? [...lines.slice(0, max), '…'] : lines;
}
