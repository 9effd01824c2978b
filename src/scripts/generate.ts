/** `npm run generate`: writes `registry.generated.ts` from the headers of `lua/`. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeScripts } from './describe';

const root = resolve(__dirname, '../..');
const output = join(__dirname, 'registry.generated.ts');

const scripts = describeScripts(join(root, 'lua'));
const ids = scripts.map((script) => `  | '${script.file.replace(/\.lua$/, '')}'`);

writeFileSync(
  output,
  `/** Generated from the headers of \`lua/\` by \`npm run generate\`; a test holds it fresh. Not to be edited. */
import type { ScriptDescription } from './types';

/** The id of a script: its file's name without the ending. */
export type ScriptId =
${ids.join('\n')};

/** Every script of \`lua/\`: the protocol's, then our own tools. */
export const SCRIPTS: readonly ScriptDescription[] = ${JSON.stringify(scripts, null, 2)};
`,
);
execFileSync(
  process.execPath,
  [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'format', '--write', output],
  {
    stdio: 'inherit',
  },
);
