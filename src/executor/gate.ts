/**
 * The gate before everything that may write. An executor that is handed out wears it, so that no command, whichever
 * way it was called, gets a script past it: a refused script is not even a reason to connect.
 */
import { ConnectionError } from '../base/errors';
import type { Executor, ReadCommand, ReadReply, Reply, RunOutcome, ScriptCall } from './types';

/** What became of scripts that were let through. */
export type WriteOutcome = { readonly replies: readonly Reply[] } | { readonly error: unknown };

export interface WriteGate {
  /** Settles when scripts may be sent. Rejects with the error that says why not; nothing is sent then. */
  admit(): Promise<void>;
  /** Called after scripts that were let through have run, or failed. Must not throw. */
  report?(calls: readonly ScriptCall[], outcome: WriteOutcome): void;
}

/** The same executor, whose scripts wait for the gate. Reads pass: an executor reads with commands that cannot write. */
export function gateWrites(executor: Executor, gate: WriteGate): Executor {
  return new GatedExecutor(executor, gate);
}

/** The same executor for one who only reads: it runs no script at all. */
export const refuseWrites = (executor: Executor): Executor =>
  gateWrites(executor, {
    admit: async () => {
      throw new ConnectionError(`${executor.address} was opened for reading. Nothing was sent.`, 'readOnly');
    },
  });

class GatedExecutor implements Executor {
  readonly #executor: Executor;
  readonly #gate: WriteGate;

  constructor(executor: Executor, gate: WriteGate) {
    this.#executor = executor;
    this.#gate = gate;
  }

  get address(): string {
    return this.#executor.address;
  }

  async run(call: ScriptCall): Promise<Reply> {
    return this.#pass(
      [call],
      () => this.#executor.run(call),
      (reply) => [reply],
    );
  }

  async runTogether(calls: readonly ScriptCall[]): Promise<Reply[]> {
    return this.#pass(
      calls,
      () => this.#executor.runTogether(calls),
      (replies) => replies,
    );
  }

  async runEach(calls: readonly ScriptCall[]): Promise<RunOutcome[]> {
    if (calls.length === 0) return [];
    return this.#pass(
      calls,
      () => this.#executor.runEach(calls),
      // A call that failed has no reply.
      (outcomes) => outcomes.map((outcome) => ('value' in outcome ? outcome.value : null)),
    );
  }

  read(commands: readonly ReadCommand[]): Promise<ReadReply[]> {
    return this.#executor.read(commands);
  }

  onLost(listener: Parameters<Executor['onLost']>[0]): { dispose(): void } {
    return this.#executor.onLost(listener);
  }

  close(): Promise<void> {
    return this.#executor.close();
  }

  async #pass<T>(
    calls: readonly ScriptCall[],
    run: () => Promise<T>,
    toReplies: (result: T) => readonly Reply[],
  ): Promise<T> {
    await this.#gate.admit();
    try {
      const result = await run();
      this.#gate.report?.(calls, { replies: toReplies(result) });
      return result;
    } catch (error) {
      this.#gate.report?.(calls, { error });
      throw error;
    }
  }
}
