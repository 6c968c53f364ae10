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

/**
 * True when the suites run against a cluster of processes, as `npm run test:cluster` asks, and not against the embedded
 * one.
 */
export const CLUSTERED = process.env['PONTE_E2E'] === 'cluster';
/** For one test, with the starts that it makes. */
export const SUITE_MS = CLUSTERED ? 400_000 : 120_000;
/** What only the embedded cluster has: everything in one folder and one process. */
export const itEmbedded = CLUSTERED ? it.skip : it;
/** What needs brokers and a database. */
export const itClustered = CLUSTERED ? it : it.skip;

/** Far above what a start takes on a busy machine; a program that hangs fails its test here. */
const READY_MS = CLUSTERED ? 180_000 : 60_000;
const STOP_MS = CLUSTERED ? 60_000 : 20_000;
const LOOK_MS = 20;

export type Env = Readonly<Record<string, string>>;

/** A chain in memory: it forgets everything with its process, and is filled again from the log. */
export const SIMULATED: Env = { MOVEMENTS_CHAINS: 'simulated' };
/** A real EVM for each chain, with quick blocks. */
export const ANVIL: Env = { MOVEMENTS_CHAINS: 'local', CHAIN_BLOCK_MS: '100' };

const run = promisify(execFile);

/** The program as it is shipped: bundled once for a spec file, run as processes of their own, which may be killed. */
export class Program {
  private readonly running = new Set<Running>();
  private made = 0;

  private constructor(
    private readonly folder: { readonly path: string; remove(): void },
    private readonly bundle: string,
  ) {}

  static async build(): Promise<Program> {
    const folder = temporaryFolder();
    if (CLUSTERED) {
      // PostgreSQL runs under a user of its own, who must be able to pass.
      chmodSync(folder.path, 0o711);
      return new Program(folder, join(ROOT, 'dist/cluster/main.js'));
    }
    const bundle = join(folder.path, 'main.cjs');
    await run(process.execPath, [
      join(ROOT, 'deploy/build/bundle.cjs'),
      join(ROOT, 'apps/standalone/src/main.ts'),
      bundle,
      'inside',
    ]);
    return new Program(folder, bundle);
  }

  /** A data folder that no one has used, in an empty folder of its own. */
  dataFolder(): string {
    const path = join(this.folder.path, `cluster-${(this.made += 1)}`, '.ponte');
    mkdirSync(path, { recursive: true });
    return path;
  }

  /**
   * A copy of the data folder of a program that has stopped, in a folder of its own. Files keep their owners, since
   * PostgreSQL does not start in a folder of another user.
   */
  copyOf(dataDirectory: string): string {
    const copy = this.dataFolder();
    execFileSync('cp', ['-a', `${dataDirectory}/.`, copy]);
    return copy;
  }

  /** Starts the cluster of a folder and resolves when it is ready. Rejects when it ends before. */
  async start(dataDirectory: string, env: Env = SIMULATED): Promise<Running> {
    const running = new Running(this.spawn('start', dataDirectory, env), dataDirectory);
    this.running.add(running);
    await running.ready();
    return running;
  }

  /** Runs a verb that ends by itself. */
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

  /** Ends whatever still runs, the chains of killed processes too, and removes every folder. */
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
  /** What it wrote to standard output and to its log so far. */
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

  /** 0 when it could not be started. */
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

  /** Waits for the end, for whatever reason it comes. */
  async ended(patienceMs: number): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }> {
    await this.waitFor('the end', patienceMs, () => this.ending !== undefined);
    return this.ending ?? { code: null, signal: null };
  }

  /** Stops it as an operator does, and demands that it goes in order. */
  async stop(): Promise<void> {
    this.kill('SIGTERM');
    const { code, signal } = await this.ended(STOP_MS);
    if (code !== 0) throw new Error(`the program did not stop in order: ${code} ${signal} ${this.log}`);
  }

  private async waitFor(what: string, patienceMs: number, isDone: () => boolean): Promise<void> {
    for (let waited = 0; !isDone(); waited += LOOK_MS) {
      if (waited >= patienceMs) throw new Error(`gave up waiting for ${what}: ${this.log}${this.printed}`);
      await wait(LOOK_MS);
    }
  }
}
