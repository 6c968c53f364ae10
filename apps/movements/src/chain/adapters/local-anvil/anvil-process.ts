import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { anvilBinary } from './binary';
import { askNodeOne } from './json-rpc';
import { endOrphan } from './orphan';
import { readWhereabouts, writeWhereabouts } from './whereabouts';

/** From spawning to listening; 60 to 430 ms on an idle machine. */
const READY_MS = 15_000;
const LOOK_MS = 5;
/** From the signal to stop until the state is saved. */
const STOP_MS = 3_000;
/** How often a chain is started again over a taken port or a broken state file. */
const ATTEMPTS = 3;
/**
 * At most this much is lost by a `kill -9` of the node; it is sent again from the log. The node writes all that it has
 * each time, whether or not anything is new: after 15,000 transactions 33 MB, for which a chain at rest took 14 % of a
 * core when it was every second.
 */
const STATE_INTERVAL_SECONDS = 30;
/** What a fault tells of the node's log. */
const LOG_TAIL = 500;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

interface Files {
  readonly state: string;
  readonly whereabouts: string;
  readonly log: string;
  readonly cache: string;
}

const filesIn = (folder: string): Files => ({
  state: join(folder, 'state.json'),
  whereabouts: join(folder, 'process.json'),
  log: join(folder, 'anvil.log'),
  cache: join(folder, 'cache'),
});

/** One anvil binary with its state in a folder. Blocks are mined on request alone (see LocalMiner). */
export class AnvilProcess {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly files: Files,
  ) {}

  /** Ends the anvil that an earlier run left on this folder, if any; call while holding the lock of the data folder. */
  static async endEarlier(folder: string): Promise<{ readonly port: number } | undefined> {
    const files = filesIn(folder);
    const earlier = await readWhereabouts(files.whereabouts);
    if (earlier !== undefined) await endOrphan(earlier.pid, files.state);
    return earlier;
  }

  /** Call while holding the lock of the data folder: whatever anvil still runs on this folder is ended first. */
  static async start(folder: string, chainId: number): Promise<AnvilProcess> {
    await mkdir(folder, { recursive: true });
    const files = filesIn(folder);
    const earlier = await AnvilProcess.endEarlier(folder);
    let fault = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      // The port of the last run when no one else has it by now, else one that the system gives.
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
      // Killed while it wrote: the file is cut off. What was in it is sent again from the log.
      if (fault.includes('--state')) await setAside(files.state);
    }
    throw new Error(`anvil of chain ${chainId} did not start: ${fault.trim().slice(-LOG_TAIL)}`);
  }

  private static async whenListening(
    child: ChildProcess,
    files: Files,
    lastPort: number,
  ): Promise<AnvilProcess | undefined> {
    // Known before it listens, so that a crash right here leaves no stranger behind.
    await writeWhereabouts(files.whereabouts, { pid: child.pid ?? 0, port: lastPort });
    const port = await portOf(child, files.log);
    if (port === undefined) return undefined;
    await writeWhereabouts(files.whereabouts, { pid: child.pid ?? 0, port });
    const url = `http://127.0.0.1:${port}`;
    // It has said where it listens; from here on a line for each request would only fill the disk.
    await askNodeOne(url, 'anvil_setLoggingEnabled', false);
    return new AnvilProcess(url, child, files);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Ends the node, which saves its state, and resolves when it is gone. The port is kept for the next start. */
  async stop(): Promise<void> {
    await end(this.child);
    const { whereabouts } = this.files;
    const record = await readWhereabouts(whereabouts);
    if (record?.pid === this.child.pid) await writeWhereabouts(whereabouts, { pid: 0, port: record?.port ?? 0 });
  }
}

async function spawnAnvil(files: Files, chainId: number, port: number): Promise<ChildProcess> {
  const log = await open(files.log, 'w');
  try {
    const own = ['--chain-id', chainId, '--host', '127.0.0.1', '--port', port];
    const state = ['--state', files.state, '--state-interval', STATE_INTERVAL_SECONDS, '--cache-path', files.cache];
    // fifo: what came first is executed first, also between senders. No accounts: no one else's well-known keys have
    // money here.
    // No states on disk: Anvil 1.7.1 reads one without the code of its contracts, and a reorg after some 1,000 blocks
    // goes back to such a state. It then keeps the states of the last 500 blocks, in memory.
    const rules = ['--no-mining', '--accounts', 0, '--order', 'fifo', '--max-persisted-states', 0];
    // Our environment holds secrets, which are none of the node's business.
    const env = { HOME: files.cache, SystemRoot: process.env['SystemRoot'] };
    const child = spawn(anvilBinary(), [...own, ...state, ...rules].map(String), {
      stdio: ['ignore', log.fd, log.fd],
      env,
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    child.once('error', () => running.delete(child));
    // A program that has nothing else to do ends, and takes its nodes along.
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** The port on which this very process says that it listens; undefined when it ended, or did not come to it in time. */
async function portOf(child: ChildProcess, log: string): Promise<number | undefined> {
  const deadline = Date.now() + READY_MS;
  while (isRunning(child) && Date.now() < deadline) {
    const listening = /^Listening on 127\.0\.0\.1:(\d+)$/m.exec(await readFile(log, 'utf8'));
    if (listening !== null) return Number(listening[1]);
    await sleep(LOOK_MS);
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
