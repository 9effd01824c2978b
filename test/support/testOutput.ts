/** Tells what tests print from what a workbench prints into the same console. */

const MARK = '[test] ';

/** Marks a text as the tests' own, line by line. */
export const markTestOutput = (text: string) => text.replace(/^/gm, MARK);

/** The text without its marks, or `undefined` when it is not the tests'. */
export const findTestOutput = (text: string): string | undefined =>
  text.startsWith(MARK)
    ? text
        .split('\n')
        .map((line) => line.replace(MARK, ''))
        .join('\n')
    : undefined;
