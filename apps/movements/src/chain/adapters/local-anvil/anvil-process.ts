import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { anvilBinary } from './binary';
import { askNodeOne } from './json-rpc';
import { stopOrphan } from './orphan';
import { readLastRun, writeLastRun } from './last-run';

/** How long a node may take from spawning until it listens. It takes 60 to 430 ms on an idle machine. */
const READY_MS = 15_000;
const POLL_INTERVAL_MS = 5;
/** How long a stopped node may take to save its state before it is killed. */
const STOP_MS = 3_000;
/** How many times a start is tried, in case the port is taken or the state file is broken. */
const ATTEMPTS = 3;
/**
 * How often the node saves its state. A `kill -9` of the node loses at most this much, which is sent again from the
 * event log. The node rewrites its whole state each time, even when nothing has changed: 33 MB after 15,000
 * transactions, which cost an idle chain 14 % of a core at an interval of one second.
 */
const STATE_INTERVAL_SECONDS = 30;
/** How many characters of the node's log an error message quotes. */
const LOG_TAIL = 500;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

interface Files {
  readonly state: string;
  readonly lastRun: string;
  readonly log: string;
  readonly cache: string;
}

const filesIn = (folder: string): Files => ({
  state: join(folder, 'state.json'),
  lastRun: join(folder, 'process.json'),
  log: join(folder, 'anvil.log'),
  cache: join(folder, 'cache'),
});

/** One anvil process with its state in a folder. It mines blocks only on request (see LocalMiner). */
export class AnvilProcess {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly files: Files,
  ) {}

  /** Ends an anvil that an earlier run left on this folder. The caller must hold the lock of the data folder. */
  static async stopEarlier(folder: string): Promise<{ readonly port: number } | undefined> {
    const files = filesIn(folder);
    const earlier = await readLastRun(files.lastRun);
    if (earlier !== undefined) await stopOrphan(earlier.pid, files.state);
    return earlier;
  }

  /** Also ends an anvil that still runs on this folder. The caller must hold the lock of the data folder. */
  static async start(folder: string, chainId: number): Promise<AnvilProcess> {
    await mkdir(folder, { recursive: true });
    const files = filesIn(folder);
    const earlier = await AnvilProcess.stopEarlier(folder);
    let fault = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      // First try the port of the last run. If that fails, let the system choose a port.
      const child = await spawnAnvil(files, chainId, attempt === 0 ? (earlier?.port ?? 0) : 0);
      try {
        const started = await AnvilProcess.whenListening(child, files, earlier?.port ?? 0);
        if (started !== undefined) return started;
      } catch (error) {
        await end(child);
        throw error;
      }
      await end(child);
      fault = await readFile(files.log, 'utf8');
      // The last node was killed while saving, so the file is truncated. The event log has its transactions.
      if (fault.includes('--state')) await setAside(files.state);
    }
    throw new Error(`anvil of chain ${chainId} did not start: ${fault.trim().slice(-LOG_TAIL)}`);
  }

  private static async whenListening(
    child: ChildProcess,
    files: Files,
    lastPort: number,
  ): Promise<AnvilProcess | undefined> {
    // Record the pid before the node listens: after a crash at this point, the next run can find and end the node.
    await writeLastRun(files.lastRun, { pid: child.pid ?? 0, port: lastPort });
    const port = await portOf(child, files.log);
    if (port === undefined) return undefined;
    await writeLastRun(files.lastRun, { pid: child.pid ?? 0, port });
    const url = `http://127.0.0.1:${port}`;
    // The port has been read from the log. Logging every request from now on would only fill the disk.
    await askNodeOne(url, 'anvil_setLoggingEnabled', false);
    return new AnvilProcess(url, child, files);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Ends the node, which saves its state, and resolves when it is gone. The port is kept for the next start. */
  async stop(): Promise<void> {
    await end(this.child);
    const { lastRun } = this.files;
    const record = await readLastRun(lastRun);
    if (record?.pid === this.child.pid) await writeLastRun(lastRun, { pid: 0, port: record?.port ?? 0 });
  }
}

async function spawnAnvil(files: Files, chainId: number, port: number): Promise<ChildProcess> {
  const log = await open(files.log, 'w');
  try {
    const own = ['--chain-id', chainId, '--host', '127.0.0.1', '--port', port];
    const state = ['--state', files.state, '--state-interval', STATE_INTERVAL_SECONDS, '--cache-path', files.cache];
    // fifo: transactions are executed in the order of arrival, even across senders. No accounts: anvil's well-known
    // keys hold no money here. No states on disk: Anvil 1.7.1 reads a state from disk without the code of its
    // contracts, and a reorg after about 1,000 blocks goes back to such a state. With this option it keeps the states
    // of the last 500 blocks in memory.
    const rules = ['--no-mining', '--accounts', 0, '--order', 'fifo', '--max-persisted-states', 0];
    // Our environment holds secrets that the node must not see.
    const env = { HOME: files.cache, SystemRoot: process.env['SystemRoot'] };
    const child = spawn(anvilBinary(), [...own, ...state, ...rules].map(String), {
      stdio: ['ignore', log.fd, log.fd],
      env,
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    child.once('error', () => running.delete(child));
    // The node does not keep this process alive. The exit handler above ends the node with the process.
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** The port that the process reports in its log; undefined when it exits or does not report one in time. */
async function portOf(child: ChildProcess, log: string): Promise<number | undefined> {
  const deadline = Date.now() + READY_MS;
  while (isRunning(child) && Date.now() < deadline) {
    const listening = /^Listening on 127\.0\.0\.1:(\d+)$/m.exec(await readFile(log, 'utf8'));
    if (listening !== null) return Number(listening[1]);
    await sleep(POLL_INTERVAL_MS);
  }
  return undefined;
}

async function end(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(patience);
}

async function setAside(stateFile: string): Promise<void> {
  const broken = `${stateFile}.broken`;
  await rm(broken, { force: true });
  if (await stat(stateFile).catch(() => undefined)) await rename(stateFile, broken);
}
