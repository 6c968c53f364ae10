import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../e2e/testing/waiting';
import type { Running } from '../../e2e/testing/program';
import type { Disturbance } from './kills';
import { leasesOf } from './sharing';

/** How long each process is paused at least: longer than a consumer group or a lease waits for it. */
const PAUSE_MS = 12_000;
/** The time limit for the leases of a paused process to get another holder. */
const MOVED_MS = 120_000;
const POLL_MS = 250;

/** The pauses of a run. */
export class Pauses implements Disturbance {
  readonly done = 'paused';
  /** The leases that a paused process held and another one got meanwhile, by service. */
  readonly moved = new Map<string, Set<string>>();

  /**
   * Stops a process with SIGSTOP until others have all its leases, and lets it continue with SIGCONT. It then believes
   * for a moment that it still has them.
   */
  async carryOut(running: Running, victim: string, pid: number): Promise<() => boolean> {
    const service = victim.replace(/-\d+$/, '');
    process.kill(pid, 'SIGSTOP');
    try {
      const leases = (await leasesOf(running, service)).filter(({ holder }) => holder.startsWith(`${victim}-`));
      await wait(PAUSE_MS);
      await until(
        async () => {
          const now = await leasesOf(running, service);
          for (const { name, fence } of leases) {
            const holds = now.find((lease) => lease.name === name);
            if (holds !== undefined && holds.fence <= fence) throw new Error(`${victim} still has the lease ${name}`);
            if (holds) this.moved.set(service, (this.moved.get(service) ?? new Set()).add(name));
          }
        },
        MOVED_MS,
        POLL_MS,
      );
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    return () => true;
  }
}
