import type { Backlog, Backlogs } from '@ponte/event-sourcing';
import { BACKLOG_COUNTS_MS } from '@ponte/event-sourcing';
import type { Timers } from '@ponte/concurrency';
import type { Clock } from '@ponte/kernel';
import type { Metrics } from './metrics';
import { WaitingEvents } from './waiting-events';

/** A delay up to this many milliseconds counts as on time. */
const ON_TIME_MS = 1_000;
/** Delays from this many milliseconds on are reported to the other processes. */
const REPORTED_FROM_MS = 5_000;
const EVERY_MS = 1_000;

/** How far one reader lags behind. */
class Delay {
  /** The smallest delay among the events finished in the current interval. */
  private least = Infinity;
  private behindMs = 0;
  private at = -Infinity;

  /** Takes the business clock, because events contain business time. */
  constructor(private readonly clock: Clock) {}

  /** Records that an event with this business time (ISO 8601) was finished. */
  finished(occurredAt: string): void {
    // One event on time is enough to know, and most are on time, so the others need not be parsed.
    if (this.least > ON_TIME_MS)
      this.least = Math.min(this.least, Math.max(0, this.clock.now() - Date.parse(occurredAt)));
  }

  /** Ends the interval and returns its delay. If nothing was finished, the last delay counts for a limited time. */
  closed(now: number): number {
    if (this.least !== Infinity) [this.behindMs, this.at, this.least] = [this.least, now, Infinity];
    return now - this.at < BACKLOG_COUNTS_MS ? this.behindMs : 0;
  }
}

/**
 * How far the readers of a process lag behind. The smallest delay in an interval counts: it is high in a standing
 * queue, but not because of a single late event (CoDel: Nichols and Jacobson, Controlling Queue Delay, 2012).
 */
export class Delays {
  private readonly readers = new Map<string, Delay>();
  private readonly consumers = new Map<string, Delay>();
  private readonly waiting = new Map<string, WaitingEvents>();

  constructor(private readonly clock: Clock) {}

  /** The delay with which a reader of the log finishes slices. */
  of(reader: string): Delay {
    return this.one(this.readers, reader);
  }

  /**
   * The delay with which a consumer of the bus finishes events. Within one process it reads the log under its own name,
   * and far ahead of what it has handled, so the two delays are kept apart.
   */
  ofConsumer(consumer: string): Delay {
    return this.one(this.consumers, consumer);
  }

  /** The unfinished events of a consumer. */
  waitingFor(consumer: string): WaitingEvents {
    const waiting = this.waiting.get(consumer) ?? new WaitingEvents();
    this.waiting.set(consumer, waiting);
    return waiting;
  }

  /** How long each consumer has finished nothing while events waited, in milliseconds. `now` is monotonic. */
  stuck(now: number): Backlog[] {
    return [...this.waiting].map(([reader, waiting]) => ({ reader, behindMs: waiting.stuckMs(now) }));
  }

  /**
   * Ends an interval and returns the delay of each reader and consumer, in milliseconds; of two with one name the
   * larger. `now` is monotonic.
   */
  close(now: number): Backlog[] {
    const all = [...this.readers, ...this.consumers].map(([reader, delay]) => ({
      reader,
      behindMs: delay.closed(now),
    }));
    return [...worstOfEach(all)].map(([reader, behindMs]) => ({ reader, behindMs }));
  }

  private one(delays: Map<string, Delay>, name: string): Delay {
    const delay = delays.get(name) ?? new Delay(this.clock);
    delays.set(name, delay);
    return delay;
  }
}

interface Parts {
  readonly delays: Delays;
  readonly backlogs: Backlogs;
  readonly metrics: Metrics;
  readonly timers: Timers;
}

/**
 * Reports, once a second, how far this process lags behind to the other processes, while it does. A consumer that
 * finishes nothing shows in the metric only: refusing new work would not help it.
 */
export function reportBacklog({ delays, backlogs, metrics, timers }: Parts): void {
  let readers: readonly Backlog[] = [];
  let reported = false;
  metrics.measure('ponte_backlog_seconds', async () =>
    [...worstOfEach([...readers, ...delays.stuck(performance.now())])].map(([reader, behindMs]) => ({
      labels: { reader },
      value: behindMs / 1000,
    })),
  );
  timers.every('backlog', EVERY_MS, async () => {
    const now = performance.now();
    readers = delays.close(now);
    // Also forgets events that are no longer tried, which nothing else would do without a scrape.
    delays.stuck(now);
    const worst = worstOf(readers);
    if (!worst && !reported) return;
    // If reporting fails, it is repeated a second later.
    await backlogs.report(worst).then(
      () => {
        reported = worst !== null;
      },
      () => undefined,
    );
  });
}

const worstOfEach = (backlogs: readonly Backlog[]): ReadonlyMap<string, number> =>
  backlogs.reduce(
    (all, { reader, behindMs }) => all.set(reader, Math.max(behindMs, all.get(reader) ?? 0)),
    new Map<string, number>(),
  );

const worstOf = (readers: readonly Backlog[]): Backlog | null =>
  readers.reduce<Backlog | null>(
    (worst, one) => (one.behindMs >= REPORTED_FROM_MS && one.behindMs > (worst?.behindMs ?? 0) ? one : worst),
    null,
  );
