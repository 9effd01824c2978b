/** Child processes that cannot outlive their owner, together with the processes they start themselves. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';

const hasGroups = process.platform !== 'win32';

/** True once the process has ended, by itself or by a signal. */
export const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Kills what is left of the group that a process leads. Returns whether anything was left. */
function killGroup(child: ChildProcess): boolean {
  if (!child.pid) return false;
  try {
    process.kill(hasGroups ? -child.pid : child.pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a process in a group of its own; the whole group is killed when this process exits. Being in another group,
 * it does not see the Ctrl-C of the terminal: its owner decides when it ends.
 */
export function spawnOwned(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { ...options, detached: hasGroups });
  const kill = () => killGroup(child);
  process.on('exit', kill);
  child.once('exit', () => {
    kill();
    process.off('exit', kill);
  });
  return child;
}

/** Asks a process of {@link spawnOwned} to end, kills it after `graceMs`, and resolves when its group is gone. */
export async function endProcess(child: ChildProcess, graceMs = 5000): Promise<void> {
  if (!hasEnded(child)) {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await gone;
    clearTimeout(timer);
  }
  // The system takes a moment to bury what was killed.
  for (let i = 0; i < 100 && hasGroups && killGroup(child); i += 1)
    await new Promise((r) => setTimeout(r, 20));
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
