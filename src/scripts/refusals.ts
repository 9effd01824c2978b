/** Which script refuses with which code, and at which of its steps: read from the headers, where each step says so. */
import { SCRIPTS } from './registry.generated';
import type { ScriptDescription } from './types';

/** A place where a script can answer with a code. */
export interface RefusalPlace {
  readonly script: ScriptDescription;
  /** Number of the step, from 1. */
  readonly step: number;
  /** What the step says. */
  readonly text: string;
}

/** Every place where a code is returned, by script in the order of the registry. Empty for a code outside the set. */
export function findRefusals(code: number): readonly RefusalPlace[] {
  const mention = new RegExp(`(?<![\\w-])${code}(?!\\d)`);
  return SCRIPTS.filter((script) => script.codes.includes(code)).flatMap((script) =>
    script.steps.flatMap((text, i) => (mention.test(text) ? [{ script, step: i + 1, text }] : [])),
  );
}
