import type { EventStore } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import type { RunningProcess } from '@ponte/nest';
import { temporaryFolder } from '@ponte/testing';
import { startCluster } from '../../cluster';
import { readySandbox } from '../../ready-sandbox';
import type { SandboxFile } from '../../sandbox-file';
import type { Env } from './program';

/** Business time that the test controls. Leases, tokens and deadlines still use the machine's clock. */
class TestClock implements Clock {
  private ahead = 0;
  private stoppedAt: number | undefined;

  now(): number {
    return this.stoppedAt ?? Date.now() + this.ahead;
  }

  /** Stops business time exactly at this time until {@link goOn} is called. It cannot go back. */
  stopAt(iso: string): void {
    const at = Date.parse(iso);
    if (at < this.now()) throw new Error(`business time is already past ${iso}`);
    this.stoppedAt = at;
  }

  /** Lets business time continue from where it was stopped. */
  goOn(): void {
    if (this.stoppedAt !== undefined) this.ahead = this.stoppedAt - Date.now();
    this.stoppedAt = undefined;
  }

  /** Advances the clock to just past a time unless it is past it already. */
  pass(iso: string): void {
    this.ahead += Math.max(0, Date.parse(iso) + 1 - this.now());
  }
}

export interface InProcessCluster {
  readonly app: RunningProcess['app'];
  readonly clock: TestClock;
  readonly store: EventStore;
  readonly sandbox: SandboxFile;
  readonly dataDirectory: string;
  close(): Promise<void>;
}

/**
 * Starts the whole cluster in the test's process, for what HTTP cannot do: stopping business time and making the bank
 * misbehave.
 */
export async function startInProcess(env: Env): Promise<InProcessCluster> {
  const folder = temporaryFolder();
  const clock = new TestClock();
  const restore = withEnvironment(env);
  try {
    const cluster = await startCluster(
      {
        environment: 'sandbox',
        dataDirectory: folder.path,
        port: 0,
        logLevel: 'fatal',
        embeddedByName: true,
        failpoint: null,
      },
      { clock, checkRequests: true },
    );
    const sandbox = await readySandbox(cluster, folder.path);
    return {
      app: cluster.app,
      clock,
      store: cluster.engines.store,
      sandbox,
      dataDirectory: folder.path,
      async close() {
        await cluster.stop();
        folder.remove();
      },
    };
  } finally {
    restore();
  }
}

/** Sets environment variables during the start, when services read them. Returns a function that restores them. */
function withEnvironment(env: Env): () => void {
  const before = Object.fromEntries(Object.keys(env).map((name) => [name, process.env[name]]));
  Object.assign(process.env, env);
  return () => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
