import type { Rate } from '@ponte/kernel';
import type { Observation } from '../market/market.domain';

/**
 * When a feed was last read, and when its value last changed. A feed that repeats an old answer without a time looks
 * new at every poll; only its unchanged value shows it. All times are in epoch milliseconds of business time.
 */
export class FeedHistory {
  private readAt: number;
  private rate: Rate | undefined;
  private changedAt: number | undefined;

  constructor(startedAt: number) {
    this.readAt = startedAt;
  }

  /** Records a successful poll and the observation that the feed has since then. */
  read(latest: Observation | undefined, now: number): void {
    this.readAt = now;
    if (latest === undefined || latest.rate.scaled === this.rate?.scaled) return;
    this.rate = latest.rate;
    this.changedAt = now;
  }

  /** Milliseconds since the last successful poll, or since the start without one. */
  readAge(now: number): number {
    return Math.max(0, now - this.readAt);
  }

  /** Milliseconds since this process first saw the current value. Undefined without a value. */
  unchangedFor(now: number): number | undefined {
    return this.changedAt === undefined ? undefined : Math.max(0, now - this.changedAt);
  }
}
