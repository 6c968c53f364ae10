import type { EventStore } from '@ponte/event-sourcing';
import { AppendOutcomeUnknown, EventStoreUnavailable } from '@ponte/event-sourcing';
import type { Decorator } from '@ponte/kernel';

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

  /** Notes the outcomes of a store's appends. */
  readonly decorator: Decorator<EventStore> = (store) => ({
    append: (stream, expectedRevision, events) => this.noting(store.append(stream, expectedRevision, events)),
  });

  /** Rejects while the latest append has failed for want of the store. */
  async assertWorking(): Promise<void> {
    if (this.failedAt !== undefined && this.now() - this.failedAt < COUNTS_MS)
      throw new EventStoreUnavailable('the event store accepts no events');
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
