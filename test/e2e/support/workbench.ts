/** A workbench with the packaged extension, driven the way a person would: by mouse and keyboard. */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../../support/host/browser';
import { requirePackage } from '../../support/host/packageExtension';
import { startVSCodeServer, type VSCodeServer } from '../../support/host/vscodeServer';
import { RESULTS } from '../../support/paths';
import { makeTemporaryFolder, type TemporaryFolder } from '../../support/temporary';

const SCREENSHOTS = join(RESULTS, 'screenshots');

/** The text as it is laid out, with its line breaks; empty where there is no such element. */
export const readText = async (locator: Locator) => (await locator.allInnerTexts()).join('\n');

export interface WorkbenchOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Packages to install besides the extension. */
  readonly vsix?: readonly string[];
  /** Writes files into the workspace before it is opened. */
  readonly prepare?: (workspace: string) => void;
  /** A folder that is copied into the workspace before it is opened. */
  readonly workspaceFrom?: string;
  /** The workspace is not trusted. */
  readonly isUntrusted?: boolean;
  /** Pixels of a screenshot for one of the page; 1 by default. */
  readonly scale?: number;
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** Opens a workbench and waits until the extension's icon is there. The caller closes it. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const workspace = makeTemporaryFolder('workspace');
  if (options.workspaceFrom) cpSync(options.workspaceFrom, workspace.path, { recursive: true });
  options.prepare?.(workspace.path);
  const server = await startVSCodeServer({
    vsix: [requirePackage(), ...(options.vsix ?? [])],
    settings: options.settings ?? {},
    ...(options.isUntrusted && { isUntrusted: true }),
  });
  let browser: Browser | undefined;
  try {
    browser = await launchBrowser();
    const context = await browser.newContext({
      viewport: options.viewport ?? { width: 1500, height: 1300 },
      deviceScaleFactor: options.scale ?? 1,
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
    const page = await context.newPage();
    page.setDefaultTimeout(15000);
    const workbench = new Workbench(page, server, browser, workspace);
    await page.goto(server.address(workspace.path));
    await workbench.activityIcon().waitFor({ timeout: 60000 });
    return workbench;
  } catch (error) {
    await browser?.close();
    await server.stop();
    workspace.remove();
    throw error;
  }
}

export class Workbench {
  /** Uncaught errors of the page. */
  readonly pageErrors: string[] = [];
  /** Addresses off this machine that the page asked for. */
  readonly foreignRequests: string[] = [];

  constructor(
    readonly page: Page,
    private readonly server: VSCodeServer,
    private readonly browser: Browser,
    private readonly workspace: TemporaryFolder,
  ) {
    page.on('pageerror', (error) => this.pageErrors.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(server.origin) && !/^(data|blob):/.test(url)) this.foreignRequests.push(url);
    });
  }

  /** The open folder. */
  get folder(): string {
    return this.workspace.path;
  }

  /** The text of the user's settings as they are on the disk. */
  readUserSettings = () => this.server.readSettings();

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.stop();
    this.workspace.remove();
  }

  /** Closes what a test may have left open: quick inputs, menus, dialogs, toasts and editors. */
  async settle(): Promise<void> {
    for (let i = 0; i < 3; i += 1) await this.page.keyboard.press('Escape');
    await this.clearToasts();
    await this.runCommand('View: Close All Editors');
  }

  /** Keeps a picture in test-results/screenshots/. */
  async screenshot(name: string): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name.replace(/\W+/g, '-').slice(0, 120)}.png`) });
  }

  /**
   * Acts, waits for the effect, and acts again. Lists of a workbench render anew while results arrive, and a click in
   * between is lost; a person would click again as well.
   */
  async retry(act: () => Promise<unknown>, effect: (timeoutMs: number) => Promise<unknown>): Promise<void> {
    const attempts = 5;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await act();
        await effect(2500 * attempt);
        return;
      } catch (error) {
        if (attempt === attempts) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /** Waits until a claim holds, asking again and again. @throws the claim's last error. */
  async until<T>(claim: () => Promise<T>, timeoutMs = 20000): Promise<T> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      try {
        return await claim();
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  activityIcon(): Locator {
    return this.page.locator('.activitybar li.action-item:has(> a.action-label[aria-label^="EchoMQ"])');
  }

  /** Opens the extension's side bar. */
  async openSideBar(): Promise<void> {
    const icon = this.activityIcon();
    await this.retry(
      async () => {
        if ((await icon.getAttribute('aria-expanded')) !== 'true') await icon.click({ timeout: 5000 });
      },
      (timeout) =>
        this.page.locator('.part.sidebar .composite.title', { hasText: 'EchoMQ' }).waitFor({ timeout }),
    );
  }

  // Quick input: the palette, quick picks and input boxes are one widget.

  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  get quickText(): Locator {
    return this.quickInput.locator('input.input');
  }

  quickRow(text: string | RegExp): Locator {
    return this.quickInput.locator('.quick-input-list .monaco-list-row', { hasText: text });
  }

  /** Runs a command from the palette by its full label, such as `EchoMQ: Add Job…`. */
  async runCommand(label: string): Promise<void> {
    const palette = this.quickText.and(this.page.locator('[aria-label*="command" i]'));
    await this.retry(
      async () => {
        await this.page.keyboard.press('F1');
        await this.quickText.fill(`>${label}`, { timeout: 3000 });
        await this.quickRow(label).first().click({ timeout: 3000 });
      },
      (timeout) => palette.waitFor({ state: 'detached', timeout }),
    );
  }

  /** Chooses the row of the open quick pick that holds a text. `title` or the placeholder tells which pick. */
  async pick(text: string | RegExp, title?: string | RegExp): Promise<void> {
    if (title !== undefined) await this.expectQuickInput(title);
    const row = this.quickRow(text).first();
    await row.waitFor();
    await this.retry(
      async () => {
        if (await row.count()) await row.click({ timeout: 3000 });
      },
      (timeout) => row.waitFor({ state: 'detached', timeout }),
    );
  }

  /** Ticks every row of a quick pick that allows several. */
  async tickAll(): Promise<void> {
    const box = this.quickInput
      .locator('.quick-input-check-all, .quick-input-header .monaco-checkbox')
      .first();
    await this.retry(
      async () => {
        if ((await box.getAttribute('aria-checked')) !== 'true') await box.click({ timeout: 3000 });
      },
      (timeout) =>
        this.until(async () => {
          if ((await box.getAttribute('aria-checked')) !== 'true')
            throw new Error('Not every row is ticked.');
        }, timeout),
    );
  }

  /** Fills the open input box and accepts it. */
  async enter(text: string, title?: string | RegExp): Promise<void> {
    if (title !== undefined) await this.expectQuickInput(title);
    await this.quickText.fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Waits for a quick input whose title, placeholder or message matches. */
  async expectQuickInput(text: string | RegExp): Promise<void> {
    await this.until(async () => {
      const title = await readText(this.quickInput);
      const placeholder = (await this.quickText.getAttribute('placeholder', { timeout: 1000 })) ?? '';
      const all = `${title}\n${placeholder}`;
      if (typeof text === 'string' ? !all.includes(text) : !text.test(all)) {
        throw new Error(`The quick input says "${all}", not ${text}.`);
      }
    });
  }

  // Messages.

  toast(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text });
  }

  async clickToast(text: string | RegExp, button: string): Promise<void> {
    await this.toast(text)
      .locator('.notification-list-item-buttons-container .monaco-button', { hasText: button })
      .click();
  }

  clearToasts = () => this.runCommand('Notifications: Clear All Notifications');

  get dialog(): Locator {
    return this.page.locator('.monaco-dialog-box');
  }

  /** Waits for a modal question, returns its text and presses one of its buttons. */
  async answerDialog(button: string | RegExp): Promise<string> {
    await this.dialog.waitFor();
    const text = await readText(this.dialog);
    await this.dialog.locator('.dialog-buttons .monaco-button', { hasText: button }).click();
    await this.dialog.waitFor({ state: 'detached' });
    return text;
  }

  // Editors.

  tab(name: string): Locator {
    return this.page.locator(`.tabs-container .tab[aria-label*="${name}"]`);
  }

  async openFile(name: string): Promise<void> {
    await this.retry(
      async () => {
        // Quick open lists open files twice while it searches: it is for new ones only.
        if (await this.tab(name).count()) return this.tab(name).first().click({ timeout: 3000 });
        await this.page.keyboard.press('Control+p');
        await this.quickText.fill(name, { timeout: 3000 });
        await this.quickRow(name).first().click({ timeout: 3000 });
      },
      (timeout) => this.page.locator(`.tab.active[aria-label*="${name}"]`).waitFor({ timeout }),
    );
  }

  /** The visible lines of the active editor. */
  async readEditor(): Promise<string> {
    const lines = this.page.locator('.editor-group-container.active .monaco-editor .view-line');
    const found = await lines.evaluateAll((elements) =>
      elements
        .map((element) => ({
          top: Number(/top:\s*([\d.]+)/.exec(element.getAttribute('style') ?? '')?.[1]),
          text: element.textContent,
        }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
    // The editor draws spaces as no-break spaces.
    return found.join('\n').replaceAll('\u00a0', ' ');
  }
}
