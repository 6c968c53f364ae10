import { retryDelay } from '@ponte/concurrency';
import { UnknownEvent } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { isOutage } from './outages';

/** Delays before further attempts to handle an event, in milliseconds. */
export interface RetrySchedule {
  /** Used when the consumer fails. After the last attempt the event is parked. */
  readonly failed: readonly number[];
  /**
   * Used when a request of the consumer failed in a way that its service did not expect. After the last attempt the
   * event is parked. Default: {@link UNEXPECTED}.
   */
  readonly unexpected?: readonly number[];
  /** Used while something that the consumer needs is unavailable. The last delay repeats; nothing is parked. */
  readonly unavailable: readonly number[];
}

/** About two minutes: the service may be about to restart, which may fix the failure. */
export const UNEXPECTED: readonly number[] = [50, 250, 1_000, 2_000, ...Array.from({ length: 24 }, () => 5_000)];

export const RETRIES: RetrySchedule = {
  failed: [50, 250, 1_000, 5_000],
  unexpected: UNEXPECTED,
  unavailable: [50, 250, 1_000, 2_000, 5_000],
};

/** This many attempts are logged individually; of the later ones, one in {@link LOGGED_EVERY}. */
const LOGGED_TRIES = 5;
const LOGGED_EVERY = 12;

/**
 * The attempts at one event. Each kind of failure has its own count, so that an outage does not use up the attempts for
 * other failures.
 */
export class Tries {
  private readonly counts = { failed: 0, unexpected: 0, unavailable: 0 };
  private parkingFailures = 0;

  constructor(private readonly schedule: RetrySchedule) {}

  get count(): number {
    return this.counts.failed + this.counts.unexpected + this.counts.unavailable;
  }

  /** Limits the log lines of a long outage. */
  get isLogged(): boolean {
    return this.count <= LOGGED_TRIES || this.count % LOGGED_EVERY === 0;
  }

  /** Milliseconds until the next attempt; undefined if the event must be parked. */
  after(error: unknown): number | undefined {
    if (error instanceof UnknownEvent) return undefined;
    if (error instanceof Unavailable && error.unexpected)
      return this.next('unexpected', this.schedule.unexpected ?? UNEXPECTED);
    if (!isOutage(error)) return this.next('failed', this.schedule.failed);
    const { unavailable } = this.schedule;
    return this.next('unavailable', unavailable) ?? unavailable.at(-1) ?? 0;
  }

  /** Milliseconds until parking is tried again. There is no limit. */
  afterParkingFailed(): number {
    this.parkingFailures += 1;
    return retryDelay(this.parkingFailures);
  }

  private next(kind: keyof Tries['counts'], waits: readonly number[]): number | undefined {
    const wait = waits[this.counts[kind]];
    this.counts[kind] += 1;
    return wait;
  }
}
