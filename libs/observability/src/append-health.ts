import type { EventStore } from '@ponte/event-sourcing';
import { AppendOutcomeUnknown, EventStoreUnavailable } from '@ponte/event-sourcing';

/** A failed append says so long that the store takes none. After that the next one tells. */
const COUNTS_MS = 10_000;

/**
 * Whether a store takes events, as of its latest append. A server whose disk is full still answers reads, so only an
 * append shows it; a process that is not ready gets no requests, so a failure cannot count for ever.
 */
export class AppendHealth {
  private failedAt: number | undefined;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(private readonly now: () => number) {}

  /** The store, with the outcomes of its appends noted. */
  on(store: EventStore): EventStore {
    return {
      soleWriter: store.soleWriter,
      append: (stream, expectedRevision, events) => this.noting(store.append(stream, expectedRevision, events)),
      read: (stream, options) => store.read(stream, options),
      subscribe: (filter) => store.subscribe(filter),
      newest: (options) => store.newest(options),
      head: () => store.head(),
      comparePositions: (a, b) => store.comparePositions(a, b),
      close: () => store.close(),
    };
  }

  /** Rejects while the latest append has failed for want of the store. */
  async assertWorking(): Promise<void> {
    if (this.failedAt !== undefined && this.now() - this.failedAt < COUNTS_MS)
      throw new EventStoreUnavailable('the event store takes no events');
  }

  private noting<T>(appending: Promise<T>): Promise<T> {
    appending.then(
      () => this.note(false),
      (error: unknown) => this.note(error instanceof EventStoreUnavailable || error instanceof AppendOutcomeUnknown),
    );
    return appending;
  }

  private note(failed: boolean): void {
    this.failedAt = failed ? this.now() : undefined;
  }
}
