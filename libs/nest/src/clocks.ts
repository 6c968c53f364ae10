import { randomBytes } from 'node:crypto';
import type { Timers } from '@ponte/concurrency';
import { retry } from '@ponte/concurrency';
import { SANDBOX_CLOCK_CATEGORY, SANDBOX_CLOCK_ID } from '@ponte/contracts';
import type { SandboxTime } from '@ponte/contracts';
import type { EngineLogger, EventStore } from '@ponte/event-sourcing';
import { EventStoreUnavailable, streamName } from '@ponte/event-sourcing';
import type { Clock, Decorator, Ids } from '@ponte/kernel';
import { RANDOM_DIGITS, uuidV7 } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import type { LogWatch } from '@ponte/read-models';
import { watchLog } from '@ponte/read-models';
import type { Environment } from './process/runtime';

export const systemClock: Clock = { now: () => Date.now() };

/** Ids per call to the system's random generator: the call costs more than the ids themselves. */
const IDS_PER_REFILL = 256;
const REFILL_BYTES = (RANDOM_DIGITS * IDS_PER_REFILL) / 2;

/** UUIDv7 from the clock and the random generator of the system. */
export function createIds(): Ids {
  let pool = '';
  let used = 0;
  return {
    next() {
      if (used === pool.length) {
        pool = randomBytes(REFILL_BYTES).toString('hex');
        used = 0;
      }
      used += RANDOM_DIGITS;
      return uuidV7(systemClock.now(), pool.slice(used - RANDOM_DIGITS, used));
    },
  };
}

/** Business time of a sandbox: the machine's time plus the offset recorded in the log. */
export class SandboxClock implements Clock {
  private aheadMs = 0;

  now(): number {
    return systemClock.now() + this.aheadMs;
  }

  /** Moves the time forward, never back, so that later decisions have later times. */
  reach({ aheadMs }: SandboxTime): void {
    this.aheadMs = Math.max(this.aheadMs, aheadMs);
  }
}

/** The business clock of one process, until it is stopped. */
interface BusinessTime extends LogWatch {
  readonly clock: Clock;
}

const STREAM = streamName(SANDBOX_CLOCK_CATEGORY, SANDBOX_CLOCK_ID);
const PATIENCE_MS = 30_000;

/**
 * Opens the clock for the decisions of this process. In the sandbox, the clock has the time recorded in the log before
 * anything is decided, and then follows later events ([ADR
 * 54](../../../docs/adr/0054-sandbox-time-and-bank-are-recorded.md)). In production it is the machine's clock, and a
 * log whose time was moved is refused, because its events may lie in the future.
 */
export async function businessTime(
  environment: Environment,
  store: EventStore,
  logger: EngineLogger,
): Promise<BusinessTime> {
  if (environment === 'production') {
    if ((await retryWhileUnavailable(() => store.read(STREAM, { limit: 1 }))).length > 0)
      throw new Error(
        'this event log cannot be used in production: its business time was moved, which only a sandbox can do',
      );
    return { clock: systemClock, stop: async () => undefined };
  }
  const clock = new SandboxClock();
  // Watches before reading, so that no event is missed. Applying an event twice changes nothing.
  const watch = await retryWhileUnavailable(() =>
    watchLog({
      store,
      logger,
      name: 'business-time',
      categories: [SANDBOX_CLOCK_CATEGORY],
      notify: ({ data }) => clock.reach(data as SandboxTime),
    }),
  );
  for (const { data } of await retryWhileUnavailable(() => store.read(STREAM))) clock.reach(data as SandboxTime);
  return { clock, stop: () => watch.stop() };
}

/** Waits for a store that starts together with this process. */
const retryWhileUnavailable = <T>(work: () => Promise<T>): Promise<T> =>
  retry(work, { patienceMs: PATIENCE_MS, shouldRetry: (error) => error instanceof EventStoreUnavailable });

/** A clock that all processes of the installation can read: epoch milliseconds. */
type ReferenceClock = () => Promise<number>;

/** The skew, in milliseconds, above which a process refuses writes. Alerts start at 500 ms. */
const MAX_SKEW_MS = 5_000;
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
