/** Asks a chain of questions in one widget. Back returns to the question before, Escape leaves everything as it was. */
import * as vscode from 'vscode';

/** A question answered by typing. */
export interface TextStep {
  readonly prompt: string;
  readonly value?: string;
  readonly placeHolder?: string;
  /** The answer is masked. */
  readonly isSecret?: boolean;
  /** The sentence that says what is wrong with a text, or `undefined`. */
  readonly validate?: (value: string) => string | undefined;
}

/** A question answered by choosing. */
export interface ChoiceStep {
  readonly placeHolder: string;
  readonly items: readonly (vscode.QuickPickItem & { readonly value: string })[];
  /** The value of the item that is offered first. */
  readonly value?: string;
}

export type Answers<K extends string> = Readonly<Partial<Record<K, string>>>;

/** The question of a key, made from the answers so far; `undefined` leaves it out. */
export type Steps<K extends string> = readonly (readonly [
  key: K,
  make: (answers: Answers<K>) => TextStep | ChoiceStep | undefined,
])[];

const BACK = Symbol('back');

/**
 * Asks every question in turn; an answer given before is kept when the user goes back.
 * @throws vscode.CancellationError when the user leaves.
 */
export async function runWizard<K extends string>(title: string, steps: Steps<K>): Promise<Answers<K>> {
  const given: Partial<Record<K, string>> = {};
  const asked: number[] = [];
  for (let at = 0; at < steps.length; ) {
    const [key, make] = steps[at] ?? [];
    if (key === undefined || make === undefined) break;
    const before = Object.fromEntries(steps.slice(0, at).map(([k]) => [k, given[k]])) as Answers<K>;
    const step = make(before);
    if (!step) {
      delete given[key];
      at += 1;
      continue;
    }
    const answer = await ask(
      title,
      { ...step, ...(given[key] !== undefined && { value: given[key] }) },
      asked,
    );
    if (answer === BACK) {
      at = asked.pop() ?? 0;
      continue;
    }
    given[key] = answer;
    asked.push(at);
    at += 1;
  }
  return given;
}

function ask(
  title: string,
  step: TextStep | ChoiceStep,
  asked: readonly number[],
): Promise<string | typeof BACK> {
  const input = 'items' in step ? makeChoice(step) : makeText(step);
  input.title = title;
  input.ignoreFocusOut = true;
  input.buttons = asked.length > 0 ? [vscode.QuickInputButtons.Back] : [];
  return new Promise((resolve, reject) => {
    const subscriptions = [
      input.onDidAccept(() => {
        const answer = read(input, step);
        if (answer !== undefined) finish(() => resolve(answer));
      }),
      input.onDidTriggerButton(() => finish(() => resolve(BACK))),
      input.onDidHide(() => finish(() => reject(new vscode.CancellationError()))),
    ];
    const finish = (settle: () => void) => {
      for (const subscription of subscriptions) subscription.dispose();
      input.dispose();
      settle();
    };
    input.show();
  });
}

type TextInput = vscode.InputBox;
type ChoiceInput = vscode.QuickPick<vscode.QuickPickItem & { readonly value: string }>;

function makeText(step: TextStep): TextInput {
  const input = vscode.window.createInputBox();
  input.prompt = step.prompt;
  input.value = step.value ?? '';
  input.placeholder = step.placeHolder;
  input.password = step.isSecret ?? false;
  input.onDidChangeValue((value) => {
    input.validationMessage = step.validate?.(value);
  });
  return input;
}

function makeChoice(step: ChoiceStep): ChoiceInput {
  const input = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly value: string }>();
  input.items = step.items;
  input.placeholder = step.placeHolder;
  // An empty list would leave no item active, and Enter without an effect.
  const known = step.items.find((item) => item.value === step.value);
  if (known) input.activeItems = [known];
  return input;
}

/** The accepted answer, or `undefined` while it is none yet. */
function read(input: TextInput | ChoiceInput, step: TextStep | ChoiceStep): string | undefined {
  if ('selectedItems' in input) return input.selectedItems[0]?.value;
  const problem = 'prompt' in step ? step.validate?.(input.value) : undefined;
  input.validationMessage = problem;
  return problem === undefined ? input.value : undefined;
}
