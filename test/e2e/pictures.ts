/**
 * Takes the README's pictures from the running demo into docs/images/. Run by hand: `npm run pictures`.
 *
 * The queues are alive, so no two runs give the same picture; look at them before they are committed.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_WORKSPACE, startDemo } from '../demo/demo';
import { ROOT } from '../support/paths';
import { paletteLabel } from './support/manifest';
import { Tree } from './support/tree';
import { openWorkbench, type Workbench } from './support/workbench';

const IMAGES = join(ROOT, 'docs', 'images');
const WIDTH = 1200;
const HEIGHT = 760;
const SIDE_BAR = 560;

async function main(): Promise<void> {
  mkdirSync(IMAGES, { recursive: true });
  const demo = await startDemo({ host: 'none', opensBrowser: false, say: console.log });
  let workbench: Workbench | undefined;
  try {
    console.log('Letting the workers work for a minute…');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    workbench = await openWorkbench({
      settings: {
        'echomq.connections': [{ name: 'Demo', url: demo.redis.url, prefixes: ['emq'] }],
        'editor.fontSize': 13,
      },
      workspaceFrom: DEMO_WORKSPACE,
      viewport: { width: WIDTH, height: HEIGHT },
      scale: 2,
    });
    await workbench.openSideBar();
    await widenSideBar(workbench);
    await take(workbench, new Tree(workbench));
  } finally {
    await workbench?.close();
    await demo.stop();
  }
}

async function take(workbench: Workbench, tree: Tree): Promise<void> {
  const { page } = workbench;
  const shoot = async (name: string, clip?: { x: number; y: number; width: number; height: number }) => {
    const file = join(IMAGES, `${name}.png`);
    await page.screenshot({ path: file, ...(clip && { clip }) });
    console.log(file);
  };

  await tree.expand(['Demo', 'payments', 'Failed']);
  await tree.expectChildren(['Demo', 'payments', 'Failed'], (rows) => {
    if (!rows[0]?.label) throw new Error('There are no failed payments yet.');
  });
  await tree.click(['Demo', 'payments', 'Failed', /./]);
  await page.locator('.tab.active').waitFor();
  await workbench.until(async () => {
    if (!/FAILED BECAUSE/.test(await workbench.readEditor())) throw new Error('The job is not shown.');
  });
  await page.mouse.move(WIDTH - 100, HEIGHT - 100);
  await shoot('queues');
  await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  await page.mouse.move(WIDTH - 100, HEIGHT - 100);
  await shoot('job', { x: 48, y: 0, width: 800, height: HEIGHT - 40 });

  await workbench.runCommand('View: Close All Editors');
  await workbench.runCommand(paletteLabel('echomq.queue.recoverStalled'));
  await workbench.pick('exports', 'Queue');
  await workbench.enter('1', 'Stall limit');
  await workbench.expectQuickInput('without a lock');
  await workbench.tickAll();
  await shoot('recovery', { x: WIDTH / 2 - 320, y: 0, width: 640, height: 215 });
  await page.keyboard.press('Escape');

  await workbench.openFile('unparkJob-2.lua');
  const squiggle = page.locator('.monaco-editor .squiggly-error').first();
  await squiggle.waitFor();
  const box = await squiggle.boundingBox();
  if (!box) throw new Error('The squiggle is out of sight.');
  await page.mouse.move(box.x + box.width / 2, box.y + 4);
  await page.locator('.monaco-hover:visible', { hasText: 'KEYS' }).waitFor();
  await shoot('lua', { x: 0, y: 0, width: 960, height: 320 });
}

async function widenSideBar({ page }: Workbench): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (!box) throw new Error('There is no side bar.');
  await page.mouse.move(box.x + box.width, HEIGHT / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + SIDE_BAR, HEIGHT / 2, { steps: 10 });
  await page.mouse.up();
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
