import type { EventStore } from '@ponte/event-sourcing';
import { AppendOutcomeUnknown, EventStoreUnavailable } from '@ponte/event-sourcing';
import type { Decorator } from '@ponte/kernel';

/** How long a failed append counts, in milliseconds. After that, the next append decides. */
const COUNTS_MS = 10_000;

/**
 * Whether a store accepts events, judged by its latest append. A server with a full disk still answers reads, so only
 * an append shows it. A process that is not ready gets no requests and so makes no appends, so a failure must expire.
 */
export class AppendHealth {
  private failedAt: number | undefined;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(private readonly now: () => number) {}

  /** Records the outcomes of a store's appends. */
  readonly decorator: Decorator<EventStore> = (store) => ({
    append: (stream, expectedRevision, events) => this.noting(store.append(stream, expectedRevision, events)),
  });

  /** Rejects if the latest append failed because of the store and that was recently. */
  async assertWorking(): Promise<void> {
    if (this.failedAt !== undefined && this.now() - this.failedAt < COUNTS_MS)
      throw new EventStoreUnavailable('the event store accepts no events');
  }

  private noting<T>(appending: Promise<T>): Promise<T> {
    appending.then(
      () => this.record(false),
      (error: unknown) => this.record(error instanceof EventStoreUnavailable || error instanceof AppendOutcomeUnknown),
    );
    return appending;
  }

  private record(failed: boolean): void {
    this.failedAt = failed ? this.now() : undefined;
  }
}
