import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import * as vscode from 'vscode';
import { connectToRedis, print, requireExtension, until } from './support/host';

/** Load, call and finish in ms, as `Developer: Startup Performance` gives them. */
async function readActivationTimes(): Promise<Map<string, number>> {
  await vscode.commands.executeCommand('perfview.show');
  const times = await until('the startup report lists both extensions', () => {
    const report = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'perf')?.getText() ?? '';
    const rows = report.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    const found = new Map(
      rows
        .filter(([, id]) => id?.startsWith('echomq.'))
        .map(([, id = '', , load, call, finish]) => [id, Number(load) + Number(call) + Number(finish)]),
    );
    return found.size >= 2 && found;
  });
  await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  return times;
}

describe('activation', () => {
  let redis: Redis;
  before(() => {
    redis = connectToRedis();
  });
  after(() => redis.disconnect());

  it('tests the installed package, not the sources', () => {
    assert.match(requireExtension().extensionPath, /echomq\.echomq-\d+\.\d+\.\d+/);
  });

  it('connects to nothing', async () => {
    const commands: string[] = [];
    const monitor = await redis.monitor();
    monitor.on('monitor', (_time, args: string[]) => commands.push(args.join(' ')));
    await requireExtension().activate();
    // Something happens after activation: the event is awaited, so that what came before it has been seen.
    await redis.echo('activated');
    await until('the monitor has seen the echo', () => commands.some((command) => /echo/i.test(command)));
    const mine = await redis.client('ID');
    const clients = String(await redis.client('LIST'))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(`id=${mine} `) && !line.includes('cmd=monitor'));
    monitor.disconnect();
    assert.deepEqual(clients, []);
    assert.deepEqual(
      commands.filter((command) => !/^(echo|client)/i.test(command)),
      [],
    );
  });

  it('registers every command of the manifest, and no other under its name', async () => {
    const manifest: { contributes: { commands: { command: string }[] } } = requireExtension().packageJSON;
    const declared = manifest.contributes.commands.map(({ command }) => command);
    const registered = (await vscode.commands.getCommands(true)).filter((id) => id.startsWith('echomq.'));
    // VS Code itself adds commands for the view.
    const ofViews = /^echomq\.queues\.(focus|open|removeView|resetViewLocation|toggleVisibility)$/;
    assert.deepEqual(registered.filter((id) => !ofViews.test(id)).sort(), declared.sort());
  });

  it('takes little longer than that of an empty extension', async () => {
    await vscode.extensions.getExtension('echomq.empty')?.activate();
    const times = await readActivationTimes();
    const mine = times.get('echomq.echomq');
    const empty = times.get('echomq.empty');
    print(`activation: ${mine} ms, an empty extension: ${empty} ms`);
    assert.ok(mine !== undefined && empty !== undefined);
  });
});
