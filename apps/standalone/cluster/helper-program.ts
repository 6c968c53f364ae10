import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { endChild } from './end-child';

/** What a helper says first. `pid` is that of the engine: its own, or that of a program which it started. */
export interface HelperReport {
  readonly pid: number;
}

export interface Helper<Reported> {
  /** What it said first when it was started. */
  readonly reported: Reported;
  stop(): Promise<void>;
}

export interface HelperOptions<Reported> {
  readonly file: string;
  /** The same at each start, so that it comes back where it was. */
  readonly args: readonly string[];
  /** What a program says of itself in its first line of JSON, at each start. */
  readonly started: (reported: Reported) => void;
  /** Called when it ends unasked, before it is started again. */
  readonly ended: () => void;
}

/** Between the end of a program and its successor's start. */
const AGAIN_MS = 500;

/**
 * Runs a program that says in one line of JSON where it listens and ends on SIGTERM; starts it again when it ends
 * unasked, as an orchestrator does. Its standard input and its channel end with this process: by the one or the other
 * it knows that it is alone. Rejects when the first start fails.
 */
export async function startHelper<Reported extends HelperReport>(
  options: HelperOptions<Reported>,
): Promise<Helper<Reported>> {
  let child = begin(options);
  let stopping = false;
  const reported = await firstLine<Reported>(child, options.file);
  let engine = reported.pid;
  const started = (now: Reported): void => {
    engine = now.pid;
    options.started(now);
  };
  started(reported);
  const again = async (): Promise<void> => {
    if (stopping) return;
    child = begin(options);
    watch();
    await firstLine<Reported>(child, options.file).then(started, () => undefined);
  };
  const watch = (): void => {
    const gone = (): void => {
      if (stopping) return;
      options.ended();
      // A helper that was killed leaves its engine behind, which holds the port.
      if (engine !== child.pid) kill(engine);
      setTimeout(() => void again(), AGAIN_MS);
    };
    if (child.exitCode !== null || child.signalCode !== null) gone();
    else child.once('exit', gone);
  };
  watch();
  return {
    reported,
    stop: () => {
      stopping = true;
      return endChild(child);
    },
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

const begin = <Reported>({ file, args }: HelperOptions<Reported>): ChildProcess =>
  spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 2, 'ipc'] });

async function firstLine<Reported>(child: ChildProcess, file: string): Promise<Reported> {
  if (!child.stdout) throw new Error(`${file} has no output`);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue;
    // What it goes on to say has to go somewhere.
    child.stdout.resume();
    return JSON.parse(line) as Reported;
  }
  throw new Error(`${file} ended before it was ready`);
}
