import type { ChildProcess } from 'node:child_process';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from '@ponte/testing';
import type { SandboxFile } from '../../sandbox-file';
import { readSandboxFile } from '../../sandbox-file';
import { endChains } from './chain-processes';

export const ROOT = resolve(__dirname, '../../../../..');

/** True if the suites run against a cluster of processes (`npm run test:cluster`) instead of the embedded cluster. */
export const CLUSTERED = process.env['PONTE_E2E'] === 'cluster';
/** The time limit of one test, including the starts that it makes. For hanging tests, not for slow machines. */
export const SUITE_MS = CLUSTERED ? 400_000 : 300_000;
/** For tests that need the embedded cluster: everything in one folder and one process. */
export const itEmbedded = CLUSTERED ? it.skip : it;
/** For tests that need brokers and a database. */
export const itClustered = CLUSTERED ? it : it.skip;

/** Far longer than a start takes on a busy machine, so that only a program that hangs fails here. */
const READY_MS = 180_000;
const STOP_MS = 60_000;
const POLL_INTERVAL_MS = 20;

export type Env = Readonly<Record<string, string>>;

/** A chain in memory. It loses its state with its process and is rebuilt from the log. */
export const SIMULATED: Env = { MOVEMENTS_CHAINS: 'simulated' };
/** A real EVM for each chain, with fast blocks. */
export const ANVIL: Env = { MOVEMENTS_CHAINS: 'local', CHAIN_BLOCK_MS: '100' };

const run = promisify(execFile);

/** The bundled program, built once for the same sources and run as separate processes that a test may kill. */
export class Program {
  private readonly running = new Set<Running>();
  private made = 0;

  private constructor(
    private readonly folder: { readonly path: string; remove(): void },
    private readonly bundle: string,
  ) {}

  /** Builds the program and sets up a test with it. If that fails, ends the processes that it has started. */
  static async setUp<T>(start: (program: Program) => Promise<T>): Promise<T> {
    const program = await Program.build();
    return start(program).catch(async (error: unknown) => {
      await program.close();
      throw error;
    });
  }

  static async build(): Promise<Program> {
    const folder = temporaryFolder();
    if (CLUSTERED) {
      // PostgreSQL runs as a separate user, which needs to traverse this folder.
      chmodSync(folder.path, 0o711);
      return new Program(folder, join(ROOT, 'dist/cluster/main.js'));
    }
    const bundle = join(folder.path, 'main.cjs');
    const entry = join(ROOT, 'apps/standalone/src/main.ts');
    await run(process.execPath, [join(ROOT, 'deploy/build/reused-bundle.cjs'), entry, bundle]);
    return new Program(folder, bundle);
  }

  /** Creates a new data folder in its own empty folder. */
  dataFolder(): string {
    const path = join(this.folder.path, `cluster-${(this.made += 1)}`, '.ponte');
    mkdirSync(path, { recursive: true });
    return path;
  }

  /**
   * Copies the data folder of a stopped program. Files keep their owners, since PostgreSQL does not start in a folder
   * of another user.
   */
  copyOf(dataDirectory: string): string {
    const copy = this.dataFolder();
    execFileSync('cp', ['-a', `${dataDirectory}/.`, copy]);
    return copy;
  }

  /** Starts the cluster of a folder and resolves when it is ready. Rejects if it ends before. */
  async start(dataDirectory: string, env: Env = SIMULATED): Promise<Running> {
    const running = new Running(this.spawn('start', dataDirectory, env), dataDirectory);
    this.running.add(running);
    await running.ready();
    return running;
  }

  /** Runs a verb until it ends. */
  async verb(
    args: readonly string[],
    dataDirectory: string,
    env: Env = SIMULATED,
  ): Promise<{ readonly code: number | null; readonly output: string }> {
    const running = new Running(this.spawn(args, dataDirectory, env), dataDirectory);
    this.running.add(running);
    const { code } = await running.ended(READY_MS);
    return { code, output: running.printed + running.log };
  }

  /** Kills all running processes, including the chains of killed ones, and removes every folder. */
  async close(): Promise<void> {
    for (const one of this.running) one.kill();
    await Promise.all([...this.running].map((one) => one.ended(STOP_MS)));
    for (const folder of new Set([...this.running].map((one) => one.dataDirectory))) await endChains(folder);
    this.folder.remove();
  }

  private spawn(args: string | readonly string[], dataDirectory: string, env: Env): ChildProcess {
    const { PATH = '', HOME = '', PONTE_REPLICAS: replicas } = process.env;
    return spawn(process.execPath, [this.bundle, ...[args].flat()], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH,
        HOME,
        NODE_PATH: join(ROOT, 'node_modules'),
        PORT: '0',
        PONTE_DATA_DIR: dataDirectory,
        PONTE_LOG_LEVEL: CLUSTERED ? 'error' : 'warn',
        ...(replicas ? { PONTE_REPLICAS: replicas } : {}),
        ...env,
      },
    });
  }
}

/** One process of the program. */
export class Running {
  /** Its standard output and its log up to now. */
  printed = '';
  log = '';
  private ending: { readonly code: number | null; readonly signal: NodeJS.Signals | null } | undefined;

  constructor(
    private readonly child: ChildProcess,
    readonly dataDirectory: string,
  ) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.printed += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.log += text;
    });
    child.once('close', (code, signal) => {
      this.ending = { code, signal };
    });
  }

  /** 0 if the process could not be started. */
  get pid(): number {
    return this.child.pid ?? 0;
  }

  get sandbox(): SandboxFile {
    const sandbox = readSandboxFile(this.dataDirectory);
    if (!sandbox) throw new Error('the program wrote no sandbox.json');
    return sandbox;
  }

  async ready(): Promise<void> {
    await this.waitFor(
      'the start',
      READY_MS,
      () => this.printed.includes('sandbox, ready') || this.ending !== undefined,
    );
    if (this.ending)
      throw new Error(
        `the program ended before it was ready (${JSON.stringify(this.ending)}): ${this.log}${this.printed}`,
      );
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    if (!this.ending) this.child.kill(signal);
  }

  /** Waits until the process has ended for any reason. */
  async ended(patienceMs: number): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }> {
    await this.waitFor('the end', patienceMs, () => this.ending !== undefined);
    return this.ending ?? { code: null, signal: null };
  }

  /** Stops the process with SIGTERM, as an operator does. Throws unless it exits with code 0. */
  async stop(): Promise<void> {
    this.kill('SIGTERM');
    const { code, signal } = await this.ended(STOP_MS);
    if (code !== 0) throw new Error(`the program did not stop cleanly: ${code} ${signal} ${this.log}`);
  }

  private async waitFor(what: string, patienceMs: number, isDone: () => boolean): Promise<void> {
    for (let waited = 0; !isDone(); waited += POLL_INTERVAL_MS) {
      if (waited >= patienceMs) throw new Error(`gave up waiting for ${what}: ${this.log}${this.printed}`);
      await wait(POLL_INTERVAL_MS);
    }
  }
}
