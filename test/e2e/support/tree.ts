/** The Queues tree, read and used through its rows on the screen. */
import type { Locator } from 'playwright-core';
import { paletteLabel } from './manifest';
import { readText, type Workbench } from './workbench';

/** A row as a person sees it. */
export interface Row {
  readonly index: number;
  readonly level: number;
  readonly label: string;
  readonly description: string;
  /** `undefined` for a row without children. */
  readonly isExpanded: boolean | undefined;
}

/** The labels from the connection down to a row; a pattern stands for a label. */
export type Path = readonly (string | RegExp)[];

const matches = (wanted: string | RegExp | undefined, label: string) =>
  typeof wanted === 'string' ? label === wanted : (wanted?.test(label) ?? false);

export class Tree {
  private readonly list: Locator;

  constructor(private readonly workbench: Workbench) {
    this.list = workbench.page.locator('.part.sidebar .customview-tree');
  }

  /** Every row that is drawn, from the top. */
  async readRows(): Promise<Row[]> {
    const rows = await this.list.locator('.monaco-list-row').evaluateAll((elements) =>
      elements.map((element) => ({
        index: Number(element.getAttribute('data-index')),
        level: Number(element.getAttribute('aria-level')),
        label: element.querySelector('.label-name')?.textContent ?? '',
        description: element.querySelector('.label-description')?.textContent ?? '',
        expanded: element.getAttribute('aria-expanded'),
      })),
    );
    return rows
      .sort((a, b) => a.index - b.index)
      .map(({ expanded, ...row }) => ({
        ...row,
        isExpanded: expanded === null ? undefined : expanded === 'true',
      }));
  }

  /** The row at a path, among those that are drawn. */
  async find(path: Path): Promise<Row | undefined> {
    let depth = 0;
    for (const row of await this.readRows()) {
      if (row.level <= depth) depth = row.level - 1;
      if (row.level !== depth + 1 || !matches(path[depth], row.label)) continue;
      depth += 1;
      if (depth === path.length) return row;
    }
    return undefined;
  }

  /** Waits for the row at a path. */
  async require(path: Path): Promise<Row> {
    return this.workbench.until(async () => {
      const row = await this.find(path);
      if (row) return row;
      const seen = (await this.readRows()).map((r) => `${'  '.repeat(r.level)}${r.label} ${r.description}`);
      throw new Error(`There is no row ${path.join(' › ')} in the tree:\n${seen.slice(0, 40).join('\n')}`);
    });
  }

  /** The rows right below a path. */
  async readChildren(path: Path): Promise<Row[]> {
    const parent = await this.require(path);
    const after = (await this.readRows()).filter((row) => row.index > parent.index);
    const end = after.findIndex((row) => row.level <= parent.level);
    return (end < 0 ? after : after.slice(0, end)).filter((row) => row.level === parent.level + 1);
  }

  /** Waits until the rows right below a path satisfy a check, which throws where they do not. */
  async expectChildren(path: Path, check: (rows: readonly Row[]) => void): Promise<Row[]> {
    return this.workbench.until(async () => {
      const rows = await this.readChildren(path);
      check(rows);
      return rows;
    });
  }

  private element(row: Row): Locator {
    return this.list.locator(`.monaco-list-row[data-index="${row.index}"]`);
  }

  /** Expands every row along a path, the last one too. */
  async expand(path: Path): Promise<void> {
    for (let depth = 1; depth <= path.length; depth += 1) {
      const part = path.slice(0, depth);
      await this.require(part);
      await this.workbench.retry(
        async () => {
          const row = await this.find(part);
          if (row?.isExpanded === false) {
            await this.element(row).locator('.monaco-tl-twistie').click({ timeout: 3000 });
          }
        },
        (timeout) =>
          this.workbench.until(async () => {
            if (!(await this.find(part))?.isExpanded) throw new Error(`${part.join(' › ')} does not expand.`);
          }, timeout),
      );
    }
  }

  /** Hides the rows below a row. */
  async collapse(path: Path): Promise<void> {
    await this.workbench.retry(
      async () => {
        const row = await this.require(path);
        if (row.isExpanded) await this.element(row).locator('.monaco-tl-twistie').click({ timeout: 3000 });
      },
      (timeout) =>
        this.workbench.until(async () => {
          if ((await this.find(path))?.isExpanded) throw new Error(`${path.join(' › ')} does not collapse.`);
        }, timeout),
    );
  }

  async click(path: Path): Promise<void> {
    await this.element(await this.require(path)).click();
  }

  /** Chooses an entry of a row's context menu. */
  async chooseFromMenu(path: Path, entry: string): Promise<void> {
    const { page } = this.workbench;
    const item = page.locator('.monaco-menu li.action-item:not(.disabled)', { hasText: entry }).first();
    await this.workbench.retry(
      async () => this.element(await this.require(path)).click({ button: 'right', timeout: 3000 }),
      (timeout) => item.waitFor({ timeout }),
    );
    // A menu ignores the mouse for its first 100 ms.
    for (let attempt = 0; attempt < 20 && (await item.count()); attempt += 1) {
      await item.click({ timeout: 500 }).catch(() => {});
      await page.waitForTimeout(150);
    }
  }

  /** Lets a connection be written to in this window. */
  async allowWrites(connection: string): Promise<string> {
    await this.require([connection]);
    await this.workbench.runCommand(paletteLabel('echomq.connection.allowWrites'));
    await this.workbench.until(async () => {
      if (await this.workbench.dialog.count()) return;
      // With one connection only there is nothing to pick.
      const row = this.workbench.quickRow(connection).first();
      if (await row.count()) await row.click({ timeout: 1000 });
      throw new Error('There is no question yet.');
    });
    return this.workbench.answerDialog('Allow Writes');
  }

  /** The entries of a row's context menu, which is closed again. */
  async readMenu(path: Path): Promise<string[]> {
    const { page } = this.workbench;
    const items = page.locator('.monaco-menu li.action-item .action-label');
    await this.workbench.retry(
      async () => this.element(await this.require(path)).click({ button: 'right', timeout: 3000 }),
      (timeout) => items.first().waitFor({ timeout }),
    );
    const labels = await items.allInnerTexts();
    await page.keyboard.press('Escape');
    return labels;
  }

  /** Waits until a row has an icon, by the icon's name. */
  async requireIcon(path: Path, name: string): Promise<void> {
    await this.workbench.until(async () => {
      const icon = this.element(await this.require(path)).locator(
        `.custom-view-tree-node-item-icon.codicon-${name}`,
      );
      if ((await icon.count()) === 0) throw new Error(`${path.join(' › ')} has no icon ${name}.`);
    });
  }

  /** Presses a button at the end of a row. */
  async pressInline(path: Path, label: string): Promise<void> {
    const row = this.element(await this.require(path));
    await row.hover();
    await row.locator(`.actions a.action-label[aria-label^="${label}"]`).click();
  }

  /** Presses a button of the view's title. */
  async pressTitleAction(label: string): Promise<void> {
    await this.workbench.page.locator('.part.sidebar').hover();
    await this.workbench.page.locator(`.part.sidebar a.action-label[aria-label^="${label}"]`).first().click();
  }

  /** The text of a row's tooltip. */
  async readTooltip(path: Path): Promise<string> {
    const hover = this.workbench.page.locator('.monaco-hover:visible, .workbench-hover:visible').first();
    await this.workbench.retry(
      async () => {
        await this.workbench.page.mouse.move(900, 600);
        await this.element(await this.require(path))
          .locator('.label-name')
          .hover({ timeout: 3000 });
      },
      (timeout) => hover.waitFor({ timeout }),
    );
    return readText(hover);
  }
}
