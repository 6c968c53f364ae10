import type { ChildProcess } from 'node:child_process';

/** A process that has not exited by then is killed. */
const PATIENCE_MS = 20_000;

/** Sends SIGTERM, then SIGKILL if the process does not exit in time. Resolves when the process has exited. */
export function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const hard = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    child.once('exit', () => {
      clearTimeout(hard);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
