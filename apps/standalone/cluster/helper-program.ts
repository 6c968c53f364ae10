import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { endChild } from './end-child';

/**
 * The first report of a helper. `pid` is the process id of the engine: the helper itself or a program that it started.
 */
interface HelperReport {
  readonly pid: number;
}

interface Helper<Reported> {
  /** The report of the first start. */
  readonly reported: Reported;
  stop(): Promise<void>;
}

interface HelperOptions<Reported> {
  readonly file: string;
  /** The same at each start, so that the program returns at its former address. */
  readonly args: readonly string[];
  /** Called at each start with the program's first line of JSON. */
  readonly started: (reported: Reported) => void;
  /** Called when the program exits unexpectedly, before it is restarted. */
  readonly ended: () => void;
}

/** The delay between the exit of a program and its restart. */
const AGAIN_MS = 500;

/**
 * Runs a program that reports its address in one line of JSON and exits on SIGTERM. Restarts it when it exits
 * unexpectedly, as an orchestrator does. The program's standard input and IPC channel close with this process, so that
 * it can detect that it is orphaned. Rejects if the first start fails.
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
      // A killed helper leaves its engine running, which would keep the port.
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
    // It has already exited.
  }
}

const begin = <Reported>({ file, args }: HelperOptions<Reported>): ChildProcess =>
  spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 2, 'ipc'] });

async function firstLine<Reported>(child: ChildProcess, file: string): Promise<Reported> {
  if (!child.stdout) throw new Error(`${file} has no output`);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue;
    // Later output must be drained, or the pipe fills up.
    child.stdout.resume();
    return JSON.parse(line) as Reported;
  }
  throw new Error(`${file} ended before it was ready`);
}
