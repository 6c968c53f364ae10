import type { EventStore } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import type { RunningProcess } from '@ponte/nest';
import { temporaryFolder } from '@ponte/testing';
import { startCluster } from '../../cluster';
import { readySandbox } from '../../ready-sandbox';
import type { SandboxFile } from '../../sandbox-file';
import type { Env } from './program';

/** Business time that only the test moves on; the machine's own time goes on for leases, tokens and deadlines. */
export class TestClock implements Clock {
  private ahead = 0;
  private stoppedAt: number | undefined;

  now(): number {
    return this.stoppedAt ?? Date.now() + this.ahead;
  }

  /** Business time stands still at this time, to the millisecond, until {@link goOn}. It never goes back. */
  stopAt(iso: string): void {
    const at = Date.parse(iso);
    if (at < this.now()) throw new Error(`business time is past ${iso} already`);
    this.stoppedAt = at;
  }

  /** Business time goes on from where it stands. */
  goOn(): void {
    if (this.stoppedAt !== undefined) this.ahead = this.stoppedAt - Date.now();
    this.stoppedAt = undefined;
  }

  /** Puts the clock just past a time, if it is not there yet. */
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
 * The whole cluster in the test's own process, for what HTTP cannot do: move business time, and make the bank
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
      { clock },
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

/** The services read their variables while they are put together, and not again. */
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
