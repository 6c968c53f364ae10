import { EventStoreUnavailable } from '@ponte/event-sourcing';
import { within } from './metrics';

/** What a process needs to do its work, asked when someone wants to know. */
export type Probe = () => Promise<unknown>;

const PROBE_MS = 1_500;

/** Whether this process may be sent work: it has started, its engines answer, and it does not stop. */
export class Readiness {
  private state: 'starting' | 'serving' | 'draining' = 'starting';
  private probes: Readonly<Record<string, Probe>> = {};
  private readonly hindrances: (() => string | undefined)[] = [];

  /** The start is over. */
  serving(probes: Readonly<Record<string, Probe>>): void {
    this.probes = probes;
    if (this.state === 'starting') this.state = 'serving';
  }

  /** Asks `hindrance` too: why the process may not be sent work though its engines answer, undefined when it may. */
  hinderedBy(hindrance: () => string | undefined): void {
    this.hindrances.push(hindrance);
  }

  /** For good: what is in flight is finished, and nothing new comes. */
  draining(): void {
    this.state = 'draining';
  }

  /** Undefined when ready, else why not; names, never addresses. */
  async obstacle(): Promise<string | undefined> {
    if (this.state !== 'serving') return this.state;
    const asked = await Promise.all(
      Object.entries(this.probes).map(async ([name, probe]) => {
        try {
          await within(PROBE_MS, probe());
          return [];
        } catch (error) {
          // Its message is our own text: it says what is wrong and names no address.
          return [error instanceof EventStoreUnavailable ? error.message : `no response from ${name}`];
        }
      }),
    );
    const obstacles = [...new Set(asked.flat())];
    // It may have begun to stop while the engines were asked.
    if (this.isDraining) return 'draining';
    if (obstacles.length > 0) return obstacles.join('; ');
    return this.hindrances.map((hindrance) => hindrance()).find((one) => one !== undefined);
  }

  private get isDraining(): boolean {
    return this.state === 'draining';
  }
}
