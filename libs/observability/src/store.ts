import { SERVICE_CATEGORIES } from '@ponte/contracts';
import type { Appended, EventStore, LogFilter, LogSlice, LogSubscription, Position } from '@ponte/event-sourcing';
import { AppendOutcomeUnknown, categoryOf, EventStoreUnavailable, WrongExpectedRevision } from '@ponte/event-sourcing';
import type { Decorator } from '@ponte/kernel';
import type { Delays } from './delays';
import type { Metrics, Observed, Sample } from './metrics';

type Outcome = 'kept' | 'conflict' | 'unknown' | 'unavailable' | 'failed';

/** Metrics for the appends of a store, and for the positions and delays of its named readers. */
export const storeMetrics =
  (metrics: Metrics, systemNow: () => number, delays: Delays): Decorator<EventStore> =>
  (store) => {
    const appends = new Appends(metrics);
    const readers = new Readers(store, metrics, systemNow, delays);
    return {
      append: (stream, expectedRevision, events) =>
        appends.timed(stream, events.length, store.append(stream, expectedRevision, events)),
      subscribe: (filter) => readers.watched(store.subscribe(filter), filter),
    };
  };

class Appends {
  private readonly sizes: Observed;
  private readonly times: Readonly<Record<Outcome, Observed>>;

  constructor(private readonly metrics: Metrics) {
    const time = (outcome: Outcome): Observed => metrics.histogram('ponte_append_seconds', { outcome });
    this.sizes = metrics.histogram('ponte_append_events');
    for (const category of Object.values(SERVICE_CATEGORIES).flat())
      metrics.counter('ponte_append_conflicts_total', { category });
    this.times = {
      kept: time('kept'),
      conflict: time('conflict'),
      unknown: time('unknown'),
      unavailable: time('unavailable'),
      failed: time('failed'),
    };
  }

  /** Only observes the promise, so the caller gets the outcome without delay. */
  timed(stream: string, count: number, appending: Promise<Appended>): Promise<Appended> {
    const began = performance.now();
    this.sizes.observe(count);
    appending.then(
      () => this.times.kept.observe((performance.now() - began) / 1000),
      (error: unknown) => {
        this.times[outcomeOf(error)].observe((performance.now() - began) / 1000);
        if (error instanceof WrongExpectedRevision)
          this.metrics.counter('ponte_append_conflicts_total', { category: categoryOf(stream) }).inc();
      },
    );
    return appending;
  }
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof WrongExpectedRevision) return 'conflict';
  if (error instanceof AppendOutcomeUnknown) return 'unknown';
  return error instanceof EventStoreUnavailable ? 'unavailable' : 'failed';
}

/** Progress of one reader. `inHand` is the slice in progress: delivered, and the next one not requested yet. */
interface ReaderProgress {
  inHand: LogSlice | undefined;
  done: Position | undefined;
  atHead: boolean;
}

class Readers {
  private readonly readers = new Map<string, ReaderProgress>();

  constructor(
    store: Pick<EventStore, 'head'>,
    private readonly metrics: Metrics,
    private readonly systemNow: () => number,
    private readonly delays: Delays,
  ) {
    metrics.measure('ponte_reader_lag_seconds', async () => this.each((progress) => this.lag(progress)));
    metrics.measure('ponte_reader_behind_positions', async () => {
      const head = await store.head();
      return this.each((progress) => behind(progress, head));
    });
  }

  watched(subscription: LogSubscription, filter: LogFilter | undefined): LogSubscription {
    const reader = filter?.reader;
    if (reader === undefined) return subscription;
    const progress: ReaderProgress = { inHand: undefined, done: filter?.after, atHead: false };
    this.readers.set(reader, progress);
    const finished = this.metrics.counter('ponte_reader_events_total', { reader });
    const delay = this.delays.of(reader);
    const gone = (): void => {
      if (this.readers.get(reader) === progress) this.readers.delete(reader);
    };
    return {
      async *[Symbol.asyncIterator]() {
        try {
          for await (const slice of subscription) {
            progress.inHand = slice;
            yield slice;
            finished.inc(slice.events.length);
            const last = slice.events.at(-1);
            if (last) delay.finished(last.meta.occurredAt);
            progress.inHand = undefined;
            progress.done = slice.position;
            progress.atHead = slice.caughtUp;
          }
        } finally {
          gone();
        }
      },
      close: () => {
        gone();
        return subscription.close();
      },
    };
  }

  private each(value: (progress: ReaderProgress) => number): Sample[] {
    return [...this.readers].map(([reader, progress]) => ({ labels: { reader }, value: value(progress) }));
  }

  /** In the sandbox business time may be ahead, so the age is at least 0. */
  private lag({ inHand }: ReaderProgress): number {
    const oldest = inHand?.events[0];
    return oldest ? Math.max(0, this.systemNow() - Date.parse(oldest.meta.occurredAt)) / 1000 : 0;
  }
}

/** A reader of few categories can be at the head although its last event is earlier in the log. */
function behind({ inHand, done, atHead }: ReaderProgress, head: Position | undefined): number {
  if (head === undefined || (atHead && inHand === undefined)) return 0;
  const distance = numberOf(head) - numberOf(done);
  return Number(distance < 0n ? 0n : distance);
}

/** Positions start with a number that grows along the log. Undefined is the beginning. */
const numberOf = (position: Position | undefined): bigint => BigInt(/^\d+/.exec(position ?? '')?.[0] ?? 0);
