/** All rules of the Lua checks: one row a rule, one file in `rules/`, one page in `docs/rules/`. */
import { checkKeysArity } from './rules/keysArity';
import type { CheckInput, Diagnostic, Rule } from './types';

export const RULES: readonly Rule[] = [
  {
    code: 'keys-arity',
    severity: 'error',
    title: 'A script reads KEYS at an index that its name does not declare.',
    check: checkKeysArity,
  },
];

/** Everything the rules have to say of one file, rule by rule. Pure, and total: any text gives an answer. */
export function checkFile(input: CheckInput): Diagnostic[] {
  return RULES.flatMap((rule) => rule.check(input));
}
