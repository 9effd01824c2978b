/** Child processes that cannot outlive their owner. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';

/** True once the process has ended, by itself or by a signal. */
export const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Starts a process that is killed when this one exits. */
export function spawnOwned(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, options);
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

/** Asks a process to end, kills it after `graceMs`, and resolves when it is gone. */
export async function endProcess(child: ChildProcess, graceMs = 5000): Promise<void> {
  if (hasEnded(child)) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await gone;
  clearTimeout(timer);
}

/** True while a process of that id exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
