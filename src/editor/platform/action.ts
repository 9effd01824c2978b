/** An action that writes: it runs its scripts and leaves one line in the journal, whatever comes of it. */
import { CancellationError } from 'vscode';
import { ConnectionError, ScriptRefusal } from '../../base/errors';
import type { Executor } from '../../executor/types';
import { Keys, type QueueAddress } from '../../keys/keys';
import { describeError } from './commands';
import type { QueueChoice } from './pick';
import type { Services } from './services';

/** What is done, in the words of the journal. */
export interface Action extends QueueChoice {
  /** As a command is called: `Retry Job`. */
  readonly name: string;
  /** The jobs it is for; those it makes are told by its result. */
  readonly ids?: readonly string[];
}

/** What the journal says of an action that was carried out. */
export interface ActionResult {
  /** The jobs it was for, where that is known afterwards only. */
  readonly ids?: readonly string[];
  /** `done` unless it says otherwise. */
  readonly outcome?: string;
}

/**
 * Hands the connection's executor to `run`, whose scripts all belong to the action.
 * @param describe what the journal says of the result.
 * @throws whatever `run` throws; the journal has it too, where a script was sent.
 */
export async function performAction<T>(
  { connections, journal }: Services,
  action: Action,
  run: (executor: Executor) => Promise<T>,
  describe: (result: T) => ActionResult = () => ({}),
): Promise<T> {
  const { connectionId, address } = action;
  const scripts = new Set<string>();
  const executor = await connections.requireExecutor(connectionId, (_server, calls) => {
    for (const call of calls) scripts.add(call.script);
  });
  const record = ({ ids, outcome }: ActionResult) => {
    // Without a script nothing was done.
    if (scripts.size === 0) return;
    void journal.record({
      connection: connections.find(connectionId)?.name ?? '',
      address: executor.address,
      queue: nameQueue(address),
      action: action.name,
      ids: ids ?? action.ids ?? [],
      outcome: outcome ?? 'done',
      scripts: [...scripts],
    });
  };
  try {
    const result = await run(executor);
    record(describe(result));
    return result;
  } catch (error) {
    record({ outcome: describeFailure(error) });
    throw error;
  }
}

/** What the journal says of an error. */
export function describeFailure(error: unknown): string {
  if (error instanceof CancellationError) return 'stopped by the user';
  const text = describeError(error);
  if (ScriptRefusal.is(error)) return `refused: ${text}`;
  return ConnectionError.is(error) && error.code === 'outcomeUnknown'
    ? `unknown: ${text}`
    : `failed: ${text}`;
}

const nameQueue = ({ prefix, queue }: QueueAddress) => new Keys(prefix, queue).queueKey;
