import type { Backlog, Backlogs } from '@ponte/event-sourcing';
import { BACKLOG_COUNTS_MS } from '@ponte/event-sourcing';
import type { Timers } from '@ponte/concurrency';
import type { Metrics } from './metrics';

/** A delay up to this counts as on time, milliseconds. */
const ON_TIME_MS = 1_000;
/** From this delay on the other processes are notified. */
const REPORTED_FROM_MS = 5_000;
const EVERY_MS = 1_000;

/** How late one reader finishes what it reads. */
export class Delay {
  /** Of what it finished since it was last asked. */
  private least = Infinity;
  private behindMs = 0;
  private at = -Infinity;

  /** `businessNow`: events bear business time. */
  constructor(private readonly businessNow: () => number) {}

  /** It is done with an event of that business time, ISO 8601. */
  finished(occurredAt: string): void {
    // One that is on time says all there is to say, and most are.
    if (this.least > ON_TIME_MS)
      this.least = Math.min(this.least, Math.max(0, this.businessNow() - Date.parse(occurredAt)));
  }

  /**
   * What the interval that ends now came to. One in which nothing was finished leaves what the last one said, for a
   * while.
   */
  closed(now: number): number {
    if (this.least !== Infinity) [this.behindMs, this.at, this.least] = [this.least, now, Infinity];
    return now - this.at < BACKLOG_COUNTS_MS ? this.behindMs : 0;
  }
}

/**
 * How late the readers of a process are. The least delay within an interval counts, which is what a standing queue has
 * and a single late event has not (CoDel: Nichols and Jacobson, Controlling Queue Delay, 2012).
 */
export class Delays {
  private readonly known = new Map<string, Delay>();

  constructor(private readonly businessNow: () => number) {}

  of(reader: string): Delay {
    const delay = this.known.get(reader) ?? new Delay(this.businessNow);
    this.known.set(reader, delay);
    return delay;
  }

  /** Ends an interval: each reader with what it is behind, milliseconds. `now` of a clock that never goes back. */
  close(now: number): Backlog[] {
    return [...this.known].map(([reader, delay]) => ({ reader, behindMs: delay.closed(now) }));
  }
}

interface Parts {
  readonly delays: Delays;
  readonly backlogs: Backlogs;
  readonly metrics: Metrics;
  readonly timers: Timers;
}

/** Tells the processes of the installation, once a second, how far this one is behind, while it is. */
export function tellBacklog({ delays, backlogs, metrics, timers }: Parts): void {
  let readers: readonly Backlog[] = [];
  let reported = false;
  metrics.measure('ponte_backlog_seconds', async () =>
    readers.map(({ reader, behindMs }) => ({ labels: { reader }, value: behindMs / 1000 })),
  );
  timers.every('backlog', EVERY_MS, async () => {
    readers = delays.close(performance.now());
    const worst = worstOf(readers);
    if (!worst && !reported) return;
    // Where it is not heard, the next second has another word.
    await backlogs.tell(worst).then(
      () => {
        reported = worst !== null;
      },
      () => undefined,
    );
  });
}

const worstOf = (readers: readonly Backlog[]): Backlog | null =>
  readers.reduce<Backlog | null>(
    (worst, one) => (one.behindMs >= REPORTED_FROM_MS && one.behindMs > (worst?.behindMs ?? 0) ? one : worst),
    null,
  );
