import { EventStoreUnavailable } from '@ponte/event-sourcing';
import { withTimeout } from '@ponte/concurrency';

/** A check of something that a process needs. Rejects if it does not work. */
export type Probe = () => Promise<unknown>;

const PROBE_MS = 1_500;

/** Whether this process accepts work: it has started, its engines answer, and it is not stopping. */
export class Readiness {
  private state: 'starting' | 'serving' | 'draining' = 'starting';
  private probes: Readonly<Record<string, Probe>> = {};
  private readonly checks: (() => string | undefined)[] = [];

  /** Marks the start as completed. */
  serving(probes: Readonly<Record<string, Probe>>): void {
    this.probes = probes;
    if (this.state === 'starting') this.state = 'serving';
  }

  /** Adds a further check: it returns why the process must not get work although its engines answer, or undefined. */
  addCheck(check: () => string | undefined): void {
    this.checks.push(check);
  }

  /** Ends readiness permanently: running work is finished and no new work is accepted. */
  draining(): void {
    this.state = 'draining';
  }

  /** Undefined if ready, else the reason. It contains names, never addresses. */
  async notReadyReason(): Promise<string | undefined> {
    if (this.state !== 'serving') return this.state;
    const results = await Promise.all(
      Object.entries(this.probes).map(async ([name, probe]) => {
        try {
          await withTimeout(PROBE_MS, probe());
          return [];
        } catch (error) {
          // This message is our own text. It states the problem and contains no address.
          return [error instanceof EventStoreUnavailable ? error.message : `no response from ${name}`];
        }
      }),
    );
    const reasons = [...new Set(results.flat())];
    // The process may have begun to stop during the probes.
    if (this.isDraining) return 'draining';
    if (reasons.length > 0) return reasons.join('; ');
    return this.checks.map((check) => check()).find((one) => one !== undefined);
  }

  private get isDraining(): boolean {
    return this.state === 'draining';
  }
}
