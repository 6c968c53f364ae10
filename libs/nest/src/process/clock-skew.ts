import type { EventStore } from '@ponte/event-sourcing';
import { EventStoreUnavailable } from '@ponte/event-sourcing';
import type { Decorator } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';

/** A clock that all processes of the installation can ask: epoch milliseconds. */
export type ReferenceClock = () => Promise<number>;

/** Reliability B13: from here on a process refuses writes, milliseconds. Reported, and alerted on, from 500 ms on. */
export const MAX_SKEW_MS = 5_000;
/** How often the reference is asked. */
export const SKEW_LOOK_MS = 10_000;

/**
 * How far the clock of this process is from the reference's. What the way there and back may account for is not
 * counted.
 */
export class ClockSkew {
  private off = 0;

  constructor(
    private readonly systemNow: () => number,
    metrics: Metrics,
  ) {
    metrics.measure('ponte_clock_skew_seconds', async () => [{ value: this.off / 1_000 }]);
  }

  /** A reference that does not answer changes nothing: what needs it fails by itself. */
  async look(reference: ReferenceClock): Promise<void> {
    const began = this.systemNow();
    const there = await reference();
    const ended = this.systemNow();
    const onTheWay = Math.abs(ended - began) / 2;
    this.off = Math.max(0, Math.abs((began + ended) / 2 - there) - onTheWay);
  }

  /** False where the clock is so far off that times must not be recorded by it. */
  get isSane(): boolean {
    return this.off <= MAX_SKEW_MS;
  }

  /** Throws where the clock is so far off that times must not be recorded by it. */
  assertSane(): void {
    if (!this.isSane)
      throw new EventStoreUnavailable(
        `the clock of this process is wrong by ${Math.round(this.off)} ms; writes are refused above ${MAX_SKEW_MS} ms`,
      );
  }
}

/** Refuses appends while the clock is off: quotes expire by it, and what is written stays. */
export const refusingWrites =
  (skew: ClockSkew): Decorator<EventStore> =>
  (store) => ({
    append: async (stream, expectedRevision, events) => {
      skew.assertSane();
      return store.append(stream, expectedRevision, events);
    },
  });
