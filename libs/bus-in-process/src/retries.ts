import { retryDelay } from '@ponte/concurrency';
import { UnknownEvent } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { isOutage } from './outages';

/** Waits before each further try of an event, in milliseconds. */
export interface RetrySchedule {
  /** When the consumer failed; after the last the event is parked. */
  readonly failed: readonly number[];
  /**
   * When a request of the consumer failed in a way that its service did not expect; after the last the event is parked.
   * {@link UNEXPECTED} by default.
   */
  readonly unexpected?: readonly number[];
  /**
   * When something that the consumer needs is unavailable; the last is repeated for as long as that lasts. Healthy work
   * is never parked.
   */
  readonly unavailable: readonly number[];
}

/** Two minutes: the service may be about to restart, and its fault may pass with that. */
export const UNEXPECTED: readonly number[] = [50, 250, 1_000, 2_000, ...Array.from({ length: 24 }, () => 5_000)];

export const RETRIES: RetrySchedule = {
  failed: [50, 250, 1_000, 5_000],
  unexpected: UNEXPECTED,
  unavailable: [50, 250, 1_000, 2_000, 5_000],
};

/** Tries that are logged one by one; of the later ones every so many. */
const LOGGED_TRIES = 5;
const LOGGED_EVERY = 12;

/**
 * The tries of one event. Each kind of trouble has its own count: an outage uses up none of the tries of an event that
 * fails.
 */
export class Tries {
  private readonly counts = { failed: 0, unexpected: 0, unavailable: 0 };
  private parkingFailures = 0;

  constructor(private readonly schedule: RetrySchedule) {}

  get count(): number {
    return this.counts.failed + this.counts.unexpected + this.counts.unavailable;
  }

  /** An outage that lasts would fill the log with the same line. */
  get isLogged(): boolean {
    return this.count <= LOGGED_TRIES || this.count % LOGGED_EVERY === 0;
  }

  /** Milliseconds until the next try; undefined when the event is poison and is parked. */
  after(error: unknown): number | undefined {
    if (error instanceof UnknownEvent) return undefined;
    if (error instanceof Unavailable && error.unexpected)
      return this.next('unexpected', this.schedule.unexpected ?? UNEXPECTED);
    if (!isOutage(error)) return this.next('failed', this.schedule.failed);
    const { unavailable } = this.schedule;
    return this.next('unavailable', unavailable) ?? unavailable.at(-1) ?? 0;
  }

  /** Milliseconds until parking is tried again; for as long as it fails. */
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
