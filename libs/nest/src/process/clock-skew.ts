import type { Timers } from '@ponte/concurrency';
import type { EventStore } from '@ponte/event-sourcing';
import { EventStoreUnavailable } from '@ponte/event-sourcing';
import type { Decorator } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';

/** A clock that all processes of the installation can read: epoch milliseconds. */
export type ReferenceClock = () => Promise<number>;

/** The skew, in milliseconds, above which a process refuses writes. Alerts start at 500 ms. */
export const MAX_SKEW_MS = 5_000;
/** Interval between reads of the reference, in milliseconds. */
const SKEW_INTERVAL_MS = 10_000;

/**
 * The difference between the clock of this process and the reference. A difference that the round-trip time can explain
 * is not counted. Between two reads of the reference, the steady clock of the process, which cannot be set, shows
 * whether its clock has jumped.
 */
export class ClockSkew {
  /** The difference at the last look. */
  private atMeasurement = 0;
  /** How far the clock was ahead of the steady one at the last look; undefined before the first. */
  private lead: number | undefined;

  /** `steadyNow`: milliseconds since any time. */
  constructor(
    private readonly systemNow: () => number,
    metrics: Metrics,
    private readonly steadyNow: () => number = () => performance.now(),
  ) {
    metrics.measure('ponte_clock_skew_seconds', async () => [{ value: this.off / 1_000 }]);
  }

  /** False if the clock is so far off that no times must be recorded with it. */
  get isSane(): boolean {
    return this.off <= MAX_SKEW_MS;
  }

  /**
   * An error of the reference leaves the last value unchanged. Whatever needs the reference fails by itself. The
   * steady clock measures the round trip, because the clock of the process may be set during it.
   */
  async measure(reference: ReferenceClock): Promise<void> {
    const began = this.steadyNow();
    const referenceTime = await reference();
    const [ended, steady] = [this.systemNow(), this.steadyNow()];
    const onTheWay = (steady - began) / 2;
    this.atMeasurement = Math.max(0, Math.abs(ended - referenceTime - onTheWay) - onTheWay);
    this.lead = ended - steady;
  }

  /** Throws if the clock is so far off that no times must be recorded with it. */
  assertSane(): void {
    if (!this.isSane)
      throw new EventStoreUnavailable(
        `the clock of this process is wrong by ${Math.round(this.off)} ms; writes are refused above ${MAX_SKEW_MS} ms`,
      );
  }

  private get off(): number {
    const jump = this.lead === undefined ? 0 : Math.abs(this.systemNow() - this.steadyNow() - this.lead);
    return Math.max(this.atMeasurement, jump);
  }
}

/**
 * Compares the clock with the reference, before any job of `timers` runs, and then repeatedly. Jobs that delete what is
 * old run at the start, and would otherwise trust a clock that was not compared yet. Rejects if the reference fails.
 */
export async function watchClock(
  skew: Pick<ClockSkew, 'measure'>,
  reference: ReferenceClock,
  timers: Pick<Timers, 'every'>,
): Promise<void> {
  await skew.measure(reference);
  timers.every('clock-skew', SKEW_INTERVAL_MS, () => skew.measure(reference));
}

/** Refuses appends while the clock is off: quotes expire by this clock, and written times are permanent. */
export const refusingWrites =
  (skew: ClockSkew): Decorator<EventStore> =>
  (store) => ({
    append: async (stream, expectedRevision, events) => {
      skew.assertSane();
      return store.append(stream, expectedRevision, events);
    },
  });
