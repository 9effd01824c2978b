/** Takes replies apart. What is not of the expected kind is `undefined`, never an exception: keys can hold anything. */
import type { ConnectionError } from '../base/errors';
import type { ReadReply, Reply } from '../executor/types';

/** The value of a reply. @throws ConnectionError when the command failed. */
export function requireValue(reply: ReadReply | undefined): Reply {
  if (!reply) return null;
  if ('error' in reply) throw reply.error;
  return reply.value;
}

/** The error of a reply, if it is one. */
export const findError = (reply: ReadReply | undefined): ConnectionError | undefined =>
  reply && 'error' in reply ? reply.error : undefined;

/** The number of a reply; `undefined` when it is none or the command failed. */
export function findNumber(reply: ReadReply | undefined): number | undefined {
  return reply && 'value' in reply && typeof reply.value === 'number' ? reply.value : undefined;
}

/** The text of a reply; `undefined` when it is none or the command failed. */
export function findText(reply: ReadReply | undefined): string | undefined {
  return reply && 'value' in reply && typeof reply.value === 'string' ? reply.value : undefined;
}

/** The items of a reply that is an array of texts; empty when it is none or the command failed. */
export function findTexts(reply: ReadReply | undefined): string[] {
  if (!reply || !('value' in reply) || !Array.isArray(reply.value)) return [];
  return reply.value.filter((item): item is string => typeof item === 'string');
}

/** How many bytes a reply took on the wire. */
export function measureReply(reply: Reply): number {
  if (reply === null) return 5;
  if (typeof reply === 'number') return `${reply}`.length + 3;
  if (typeof reply === 'string') {
    const length = Buffer.byteLength(reply);
    return length + `${length}`.length + 5;
  }
  return reply.reduce<number>((sum, item) => sum + measureReply(item), `${reply.length}`.length + 3);
}

/** The same object without its properties that are `undefined`. */
export function withoutUndefined<T extends object>(object: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
