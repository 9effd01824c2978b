/** The tooltip of a job row, read when it is asked for. A plain string: nothing in it is rendered as Markdown. */
import { indentJson } from '../platform/json';
import { loadEngine } from '../platform/loadEngine';
import type { JobNode } from '../platform/nodes';
import type { Services } from '../platform/services';
import { formatBytes, oneLine, plainLines } from '../platform/text';

const MAX_LINES = 12;
const MAX_CHARACTERS = 1200;

/** The first lines of the job's data, or its size where that is too long to fetch unasked. */
export async function loadTooltip(services: Services, node: JobNode): Promise<string> {
  const { row, address } = node;
  if (!row.exists) return `The id ${oneLine(row.id)} is in ${row.state}, but its job is gone.`;
  const executor = await services.connections.requireExecutor(node.connectionId);
  const { Queue } = await loadEngine();
  const data = await new Queue(executor, address).readDataPreview(row.id);
  const head = `${oneLine(row.name ?? '')} #${oneLine(row.id)} (${row.state})`;
  if (!data) return `${head}\nno data`;
  if (data.text === undefined) return `${head}\ndata of ${formatBytes(data.bytes)}; open the job to see it`;
  const lines = plainLines(indentJson(data.text)).slice(0, MAX_CHARACTERS).split('\n');
  return [head, ...lines.slice(0, MAX_LINES), ...(lines.length > MAX_LINES ? ['…'] : [])].join('\n');
}
