import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

/** A build of the guides that runs next to the sandbox. */
export interface GuidesBuild {
  /** Ends the build and its child processes. The next start begins it again. */
  stop(): void;
}

/** The script's message when it has built something. */
const BUILT = /^The guides are built/m;
/** The number of characters of the script's output that are shown after a failure. */
const SHOWN = 600;

/**
 * Builds the guides with the script in a low-priority process. Installing the tools for it takes a minute and needs
 * npm's registry or cache, which the sandbox itself does not need. A failure is reported and has no other effect.
 */
export function buildGuides(script: string, address: string, say: (line: string) => void): GuidesBuild {
  const grouped = process.platform !== 'win32';
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'], detached: grouped });
  let stopped = false;
  let printed = '';
  const keep = (piece: string): void => {
    printed += piece;
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  if (child.pid !== undefined) lowerPriority(child.pid);
  const failed = (why: string): void => {
    if (stopped) return;
    stopped = true;
    say(
      `The guides could not be built, so /docs shows the API reference alone. Everything else works. To try again: npm run docs:site\n${why}`,
    );
  };
  child.on('error', (error) => failed(error.message));
  child.on('close', (code) => {
    if (code !== 0) failed(printed.trim().slice(-SHOWN));
    else if (BUILT.test(printed)) say(`The guides are built: ${address}`);
  });
  return {
    stop() {
      const { pid, exitCode, signalCode } = child;
      if (stopped || pid === undefined || exitCode !== null || signalCode !== null) return;
      stopped = true;
      try {
        // Signals the whole process group, because npm and its tools are children of the script.
        process.kill(grouped ? -pid : pid, 'SIGTERM');
      } catch {
        // It has just ended.
      }
    },
  };
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The process has ended, or lowering the priority is not allowed. The build then runs at normal priority.
  }
}
