/** The tree's nodes: data only. `explorer/treeItem.ts` is the one place that turns them into items. */
import type { QueueAddress } from '../../keys/keys';
import type { JobState } from '../../keys/states';
import type { JobRow, QueueSummary } from '../../queue/types';

export interface ConnectionNode {
  readonly kind: 'connection';
  readonly connectionId: string;
}
export interface QueueNode {
  readonly kind: 'queue';
  readonly connectionId: string;
  readonly address: QueueAddress;
  readonly summary: QueueSummary | undefined;
  /** More than one prefix has a queue of this name. */
  readonly isAmbiguous: boolean;
}
export interface StateNode {
  readonly kind: 'state';
  readonly connectionId: string;
  readonly address: QueueAddress;
  readonly state: JobState;
  readonly summary: QueueSummary;
}
export interface JobNode {
  readonly kind: 'job';
  readonly connectionId: string;
  readonly address: QueueAddress;
  readonly row: JobRow;
}
/** "Load more" and "Load previous" rows of a level. */
export interface PagingNode {
  readonly kind: 'paging';
  readonly direction: 'more' | 'previous';
  /** Key of the level whose window moves. */
  readonly level: string;
  readonly parent: ConnectionNode | StateNode;
  readonly remaining: number;
}
/** A sentence in place of children, with Retry where that can help. */
export interface MessageNode {
  readonly kind: 'message';
  readonly connectionId: string;
  readonly text: string;
  readonly isError: boolean;
}

export type TreeNode = ConnectionNode | QueueNode | StateNode | JobNode | PagingNode | MessageNode;

/** The stable id of a node: every part is escaped, so no two nodes share one. */
export function nodeId(node: TreeNode): string {
  const id = (...parts: string[]) => parts.map(encodeURIComponent).join('/');
  switch (node.kind) {
    case 'connection':
      return id('c', node.connectionId);
    case 'queue':
      return id('q', node.connectionId, node.address.prefix, node.address.queue);
    case 'state':
      return id('s', node.connectionId, node.address.prefix, node.address.queue, node.state);
    case 'job':
      return id('j', node.connectionId, node.address.prefix, node.address.queue, node.row.state, node.row.id);
    case 'paging':
      return id('p', node.level, node.direction);
    case 'message':
      return id('m', node.connectionId, node.text);
  }
}
