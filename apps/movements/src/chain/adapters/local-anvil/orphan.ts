import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How long a stopped node may take to save its state. A large state may take a second. */
const GRACE_MS = 3_000;
const POLL_INTERVAL_MS = 20;

/**
 * Ends the anvil that an earlier run left behind because its parent was killed, so that two processes never write one
 * state file. Ends only an anvil that runs on that state file: after a reboot the pid may belong to any program.
 * Returns whether there was one.
 */
export async function stopOrphan(pid: number, stateFile: string): Promise<boolean> {
  if (!(await isAnvilOn(pid, stateFile))) return false;
  signal(pid, 'SIGTERM');
  for (let waited = 0; waited < GRACE_MS; waited += POLL_INTERVAL_MS) {
    if (!(await isAnvilOn(pid, stateFile))) return true;
    await sleep(POLL_INTERVAL_MS);
  }
  signal(pid, 'SIGKILL');
  return true;
}

/**
 * Whether the process is an anvil that keeps its chain in this file; on Windows, whether it is any anvil. Another
 * process may have got the pid since.
 */
export async function isAnvilOn(pid: number, stateFile: string): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 1) return false;
  const command = await commandOf(pid).catch(() => '');
  // On Windows only the name of the executable is available.
  return process.platform === 'win32'
    ? command.includes('anvil.exe')
    : command.includes('anvil') && command.includes(stateFile);
}

/** The command line, empty for a process that is gone. */
async function commandOf(pid: number): Promise<string> {
  switch (process.platform) {
    case 'linux':
      return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
    case 'win32':
      return (await run('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'])).stdout;
    default:
      return (await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).stdout;
  }
}

/** A process that has already ended is not an error. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
