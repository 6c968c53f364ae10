import type { ChildProcess } from 'node:child_process';

/** What has not gone by then is ended without leave. */
const PATIENCE_MS = 20_000;

/** SIGTERM, and SIGKILL to what does not heed it in time. Resolves when the process is gone. */
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
