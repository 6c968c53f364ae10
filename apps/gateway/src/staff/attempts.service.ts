import { Inject, Injectable } from '@nestjs/common';
import { METRICS, SYSTEM_CLOCK } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Clock } from '@ponte/kernel';
import { lruCache } from '@ponte/kernel';
import { LimitedFailures } from '../rate-limit/limited-failures';
import { networkOf } from '../rate-limit/network';

/** The number of attempts at once, and the time until the next one. */
interface Limit {
  readonly burst: number;
  readonly everyMs: number;
}

const PER_NAME: Limit = { burst: 5, everyMs: 30_000 };
const PER_ADDRESS: Limit = { burst: 30, everyMs: 5_000 };
/** An attacker who fills the cache evicts entries, but each costs an attempt of the attacker's own address. */
const MAX_COUNTED = 10_000;

/**
 * Limits attempts to sign in with a password, which only the sandbox has. Each replica counts for itself. Successful
 * attempts do not count.
 */
@Injectable()
export class SignInAttempts {
  private readonly spent = lruCache<string, { used: number; at: number }>(MAX_COUNTED);
  private readonly failures: LimitedFailures;

  constructor(
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(METRICS) metrics: Pick<Metrics, 'counter'>,
  ) {
    this.failures = new LimitedFailures(metrics, 'password');
  }

  /** Counts an attempt, or throws 429. Unknown names are counted like known ones. */
  take(name: string, address: string): void {
    const [byName, byAddress] = [this.left(`n${name}`, PER_NAME), this.left(addressKey(address), PER_ADDRESS)];
    const wait = Math.max(byName, byAddress);
    if (wait > 0) throw this.failures.refusal('unchecked', wait, 'Too many attempts to sign in. Wait a moment.');
    this.add(`n${name}`, PER_NAME, 1);
    this.add(addressKey(address), PER_ADDRESS, 1);
  }

  /** Undoes {@link take} after a correct password. */
  giveBack(name: string, address: string): void {
    this.add(`n${name}`, PER_NAME, -1);
    this.add(addressKey(address), PER_ADDRESS, -1);
  }

  /** Milliseconds until the next attempt is allowed; 0 when it is allowed now. */
  private left(key: string, { burst, everyMs }: Limit): number {
    const used = this.used(key, everyMs);
    return used + 1 <= burst ? 0 : (used + 1 - burst) * everyMs;
  }

  private used(key: string, everyMs: number): number {
    const counted = this.spent.get(key);
    if (counted === undefined) return 0;
    return Math.max(0, counted.used - Math.max(0, this.systemClock.now() - counted.at) / everyMs);
  }

  private add(key: string, { everyMs }: Limit, count: number): void {
    const used = Math.max(0, this.used(key, everyMs) + count);
    this.spent.set(key, { used, at: this.systemClock.now() });
  }
}

const addressKey = (address: string): string => `a${networkOf(address)}`;
