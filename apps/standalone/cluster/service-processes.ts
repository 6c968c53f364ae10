import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endChild } from './end-child';

export type Env = Readonly<Record<string, string>>;

export interface Replica {
  /** `orders-1`. */
  readonly name: string;
  readonly service: string;
  readonly env: Env;
}

export interface ServiceProcessesOptions {
  /** Where the builds lie: `dist/apps`. */
  readonly builds: string;
  readonly replicas: readonly Replica[];
  /** Called at every start of a process. */
  readonly onStart: (name: string, pid: number) => void;
  /** Called when a process ends unasked, before it is started again; true means not to. */
  readonly onEnd: (name: string, signal: NodeJS.Signals | null) => boolean;
}

/** Between the end of a process and its successor's start: what keeps failing must not take the machine. */
const AGAIN_MS = 500;

/** The processes of the services, each started again when it ends unasked, as an orchestrator does it. */
export class ServiceProcesses {
  private readonly running = new Map<string, ChildProcess>();
  private stopping = false;

  private constructor(private readonly options: ServiceProcessesOptions) {}

  static start(options: ServiceProcessesOptions): ServiceProcesses {
    const { builds, replicas } = options;
    const absent = replicas.find(({ service }) => !existsSync(join(builds, service, 'main.js')));
    if (absent) throw new Error(`${join(builds, absent.service, 'main.js')} is missing: npm run build makes it`);
    const processes = new ServiceProcesses(options);
    for (const replica of replicas) processes.run(replica);
    return processes;
  }

  /** SIGTERM to all, and SIGKILL to what has not ended in time. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all([...this.running.values()].map((child) => endChild(child)));
  }

  /** At once, without leave. */
  kill(): void {
    this.stopping = true;
    this.running.forEach((child) => child.kill('SIGKILL'));
  }

  private run(replica: Replica): void {
    if (this.stopping) return;
    const { name, service, env } = replica;
    // The channel tells a service that this process is gone; its log goes where ours goes.
    const child = spawn(process.execPath, [join(this.options.builds, service, 'main.js')], {
      stdio: ['ignore', 2, 2, 'ipc'],
      env,
    });
    this.running.set(name, child);
    if (child.pid !== undefined) this.options.onStart(name, child.pid);
    child.once('exit', (_code, signal) => {
      this.running.delete(name);
      if (this.stopping || this.options.onEnd(name, signal)) return;
      setTimeout(() => this.run(replica), AGAIN_MS);
    });
  }
}
