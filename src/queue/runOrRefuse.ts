import { ScriptRefusal } from '../base/errors';
import type { Executor, Reply, ScriptCall } from '../executor/types';
import type { JobState } from '../keys/states';
import { describeRefusal, PRIVATE_CODES } from '../scripts/codes';

/**
 * Runs a script and gives its reply.
 * @param expectedState the state the job is expected in, for the sentence of a refusal.
 * @throws ScriptRefusal when the reply is negative, or a number that this script alone says no with.
 */
export async function runOrRefuse(
  executor: Executor,
  call: ScriptCall,
  jobId?: string,
  expectedState?: JobState,
): Promise<Reply> {
  const reply = await executor.run(call);
  const refusal = findRefusal(reply, call, jobId, expectedState);
  if (refusal) throw refusal;
  return reply;
}

/** The refusal that a reply is; `undefined` for any other. */
export function findRefusal(
  reply: Reply,
  { script }: ScriptCall,
  jobId?: string,
  expectedState?: JobState,
): ScriptRefusal | undefined {
  const isOwnCode = PRIVATE_CODES.some((own) => own.script === script && own.code === reply);
  if (typeof reply !== 'number' || (reply >= 0 && !isOwnCode)) return undefined;
  const context = {
    script,
    ...(jobId === undefined ? {} : { jobId }),
    ...(expectedState === undefined ? {} : { expectedState }),
  };
  return new ScriptRefusal(describeRefusal(reply, context), reply, script, jobId);
}
