/**
 * The tree's nodes: data only, and only what tells a node from another. What is known of it (counts, health) is looked
 * up when it is drawn, so that a node stays the same while its numbers change.
 */
import type { QueueAddress } from '../../keys/keys';
import type { JobState } from '../../keys/states';
import type { JobRow } from '../../queue/types';

export interface ConnectionNode {
  readonly kind: 'connection';
  readonly connectionId: string;
}
export interface QueueNode {
  readonly kind: 'queue';
  readonly connectionId: string;
  readonly address: QueueAddress;
}
export interface StateNode {
  readonly kind: 'state';
  readonly connectionId: string;
  readonly address: QueueAddress;
  readonly state: JobState;
}
export interface JobNode {
  readonly kind: 'job';
  readonly connectionId: string;
  readonly address: QueueAddress;
  readonly row: JobRow;
  /** 0, or how often the same id stood before it in its state: damage that must not break the tree. */
  readonly repetition: number;
}
/** A node that has children of its own. */
export type ParentNode = ConnectionNode | QueueNode | StateNode;
/** "Load more" and "Load previous" rows of a level. */
export interface PagingNode {
  readonly kind: 'paging';
  readonly direction: 'more' | 'previous';
  /** The node whose window moves. */
  readonly parent: ConnectionNode | StateNode;
  readonly remaining: number;
}
/** A sentence in place of children, or after them. */
export interface MessageNode {
  readonly kind: 'message';
  readonly parent: ParentNode;
  readonly text: string;
  readonly isError: boolean;
  /** What a click does: read again what the node names, or look for queues on its connection. */
  readonly action?: { readonly kind: 'retry' | 'find'; readonly node: ParentNode };
}

export type TreeNode = ParentNode | JobNode | PagingNode | MessageNode;

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
    case 'job': {
      const { address, row, repetition } = node;
      const again = repetition > 0 ? [`${repetition}`] : [];
      return id('j', node.connectionId, address.prefix, address.queue, row.state, row.id, ...again);
    }
    case 'paging':
      return id('p', nodeId(node.parent), node.direction);
    case 'message':
      return id('m', nodeId(node.parent), node.action?.kind ?? '', node.text);
  }
}
