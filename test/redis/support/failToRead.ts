import assert from 'node:assert/strict';
import { ConnectionError, type ConnectionErrorCode } from '../../../src/base/errors';
import { createExecutor } from '../../../src/executor/executor';
import type { ConnectionOptions } from '../../../src/executor/options';
import { library, rejection } from './stage';

/** What a user would be told when a server is first asked. */
export async function failToRead(options: ConnectionOptions): Promise<ConnectionError> {
  const executor = createExecutor(options, library);
  try {
    return await rejection(executor.read([['PING']]), ConnectionError.is);
  } finally {
    await executor.close();
  }
}

/** The error has this code, its sentence says this, and no password is in it. */
export function assertFailure(error: ConnectionError, code: ConnectionErrorCode, sentence: RegExp): void {
  assert.equal(error.code, code, error.message);
  assert.match(error.message, sentence);
  assert.doesNotMatch(error.message, /secret/);
}
