import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endChild } from './end-child';

export type Env = Readonly<Record<string, string>>;

export interface Replica {
  /** For example `orders-1`. */
  readonly name: string;
  readonly service: string;
  readonly env: Env;
}

interface ServiceProcessesOptions {
  /** The folder of the builds: `dist/apps`. */
  readonly builds: string;
  readonly replicas: readonly Replica[];
  readonly onStart: (name: string, pid: number) => void;
  /** Called when a process exits unexpectedly, before it is restarted. Returning true prevents the restart. */
  readonly onEnd: (name: string, signal: NodeJS.Signals | null) => boolean;
}

/** The delay before a restart, so that a process that keeps failing does not use up the machine. */
const AGAIN_MS = 500;

/** Runs the processes of the services and restarts each one that exits unexpectedly, as an orchestrator does. */
export class ServiceProcesses {
  private readonly running = new Map<string, ChildProcess>();
  private stopping = false;

  private constructor(private readonly options: ServiceProcessesOptions) {}

  static start(options: ServiceProcessesOptions): ServiceProcesses {
    const { builds, replicas } = options;
    const absent = replicas.find(({ service }) => !existsSync(join(builds, service, 'main.js')));
    if (absent) throw new Error(`${join(builds, absent.service, 'main.js')} is missing: run npm run build first`);
    const processes = new ServiceProcesses(options);
    for (const replica of replicas) processes.run(replica);
    return processes;
  }

  /** Sends SIGTERM to all processes, then SIGKILL to those that have not exited in time. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all([...this.running.values()].map((child) => endChild(child)));
  }

  private run(replica: Replica): void {
    if (this.stopping) return;
    const { name, service, env } = replica;
    // By the IPC channel a service detects that this process has ended. Service logs go to our standard error.
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
