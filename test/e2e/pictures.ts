/** Takes the README's pictures from the running demo: `npm run pictures` writes docs/images. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { startDemo } from '../demo/demo';
import { launchBrowser } from '../support/host/browser';
import { ROOT } from '../support/paths';

const IMAGES = join(ROOT, 'docs', 'images');
/** Long enough for the demo to have failed jobs, and jobs whose worker has gone. */
const WARM_UP_MS = 45_000;

async function takePictures(page: Page): Promise<void> {
  const rows = page.locator('.part.sidebar .customview-tree .monaco-list-row');
  const row = (label: string): Locator =>
    rows.filter({ has: page.locator('.label-name', { hasText: new RegExp(`^${label}$`) }) }).first();
  const expand = async (label: string) => {
    await row(label).waitFor();
    if ((await row(label).getAttribute('aria-expanded')) === 'false') {
      await row(label).locator('.monaco-tl-twistie').click();
    }
    await page.waitForTimeout(2000);
  };
  const shoot = (name: string) => page.screenshot({ path: join(IMAGES, `${name}.png`) });
  const command = async (label: string) => {
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget:visible input.input').fill(`>${label}`);
    await page.locator('.quick-input-widget:visible .monaco-list-row', { hasText: label }).first().click();
    await page.waitForTimeout(1500);
  };

  const icon = page.locator('.activitybar li.action-item:has(> a.action-label[aria-label^="EchoMQ"])');
  await icon.waitFor({ timeout: 40_000 });
  if ((await icon.getAttribute('aria-expanded')) !== 'true') await icon.click();
  await expand('Demo');
  const sash = await page.locator('.part.sidebar').boundingBox();
  if (sash) {
    await page.mouse.move(sash.x + sash.width, 400);
    await page.mouse.down();
    await page.mouse.move(sash.x + sash.width + 190, 400, { steps: 5 });
    await page.mouse.up();
  }
  await page.waitForTimeout(WARM_UP_MS);
  await command('EchoMQ: Refresh');
  await expand('payments');
  await expand('Failed');
  await rows.filter({ hasText: '#' }).first().click();
  await page.waitForTimeout(2000);
  await shoot('queues');
  await page.locator('.monaco-editor .view-line').first().click();
  await command('View: Toggle Primary Side Bar Visibility');
  await shoot('job');
  await command('View: Toggle Primary Side Bar Visibility');

  await row('exports').click({ button: 'right' });
  await page.waitForTimeout(500);
  await page.locator('.monaco-menu li.action-item', { hasText: 'Force Stall Recovery' }).click();
  await page.waitForTimeout(1500);
  await page.keyboard.press('Enter');
  await page.waitForTimeout(1500);
  await shoot('recovery');
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+p');
  await page.locator('.quick-input-widget:visible input.input').fill('unparkJob-2.lua');
  await page.waitForTimeout(1500);
  await page.keyboard.press('Enter');
  await page.locator('.monaco-editor .squiggly-error').first().waitFor();
  await command('Problems: Focus on Problems View');
  await page.waitForTimeout(1000);
  await shoot('lua');
}

async function main(): Promise<void> {
  mkdirSync(IMAGES, { recursive: true });
  const demo = await startDemo({ host: 'code-server', opensBrowser: false, say: () => {} });
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 1240, height: 760 } });
    const page = await context.newPage();
    if (!demo.url) throw new Error('The demo gave no address to open.');
    await page.goto(demo.url);
    await takePictures(page);
  } finally {
    await browser.close();
    await demo.stop();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
