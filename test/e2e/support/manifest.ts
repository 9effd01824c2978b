/** What the manifest says, with its texts filled in, so that a test does not repeat a label. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/paths';

interface Command {
  readonly command: string;
  readonly title: string;
  readonly category?: string;
}

const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

function readCommands(): readonly Command[] {
  const texts: Record<string, string> = existsSync(join(ROOT, 'package.nls.json'))
    ? read('package.nls.json')
    : {};
  const fill = (text: string) => text.replace(/^%(.+)%$/, (all, key) => texts[key] ?? all);
  const commands: Command[] = read('package.json').contributes?.commands ?? [];
  return commands.map((command) => ({
    ...command,
    title: fill(command.title),
    ...(command.category ? { category: fill(command.category) } : {}),
  }));
}

function requireCommand(id: string): Command {
  const command = readCommands().find((candidate) => candidate.command === id);
  if (!command) throw new Error(`The manifest has no command "${id}".`);
  return command;
}

/** The label of a command in menus and buttons. */
export const menuLabel = (id: string) => requireCommand(id).title;

/** The label of a command in the palette. */
export function paletteLabel(id: string): string {
  const { title, category } = requireCommand(id);
  return category ? `${category}: ${title}` : title;
}
