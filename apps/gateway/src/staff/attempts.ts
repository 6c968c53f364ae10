import { Inject, Injectable } from '@nestjs/common';
import { SYSTEM_CLOCK } from '@ponte/nest';
import type { Clock } from '@ponte/kernel';
import { BoundedMap } from '../edge/bounded-map';
import { ApiError } from '../errors/api-error';

/** How many tries at once, and how long until the next. */
interface Limit {
  readonly burst: number;
  readonly everyMs: number;
}

const PER_NAME: Limit = { burst: 5, everyMs: 30_000 };
const PER_ADDRESS: Limit = { burst: 30, everyMs: 5_000 };
/** An attacker who fills it makes it forget entries, and pays for each with an attempt of the own address. */
const MAX_COUNTED = 10_000;

/**
 * Tries to sign in with a password, which exists in the sandbox alone: counted by each replica for itself. A good one
 * is given back.
 */
@Injectable()
export class SignInAttempts {
  private readonly spent = new BoundedMap<string, { used: number; at: number }>(MAX_COUNTED);

  constructor(@Inject(SYSTEM_CLOCK) private readonly systemClock: Clock) {}

  /** Counts a try, or throws 429. Names that no one has are counted like any other. */
  take(name: string, address: string): void {
    const [byName, byAddress] = [this.left(`n${name}`, PER_NAME), this.left(`a${address}`, PER_ADDRESS)];
    const wait = Math.max(byName, byAddress);
    if (wait > 0)
      throw new ApiError('rate-limited', {
        message: 'Too many attempts to sign in. Wait a moment.',
        headers: { 'retry-after': String(Math.ceil(wait / 1000)) },
      });
    this.add(`n${name}`, 1);
    this.add(`a${address}`, 1);
  }

  /** The password was right. */
  giveBack(name: string, address: string): void {
    this.add(`n${name}`, -1);
    this.add(`a${address}`, -1);
  }

  /** Milliseconds until there is one more try; 0 when there is one. */
  private left(key: string, { burst, everyMs }: Limit): number {
    const now = this.systemClock.now();
    const counted = this.spent.get(key) ?? { used: 0, at: now };
    const used = Math.max(0, counted.used - Math.max(0, now - counted.at) / everyMs);
    this.spent.set(key, { used, at: now });
    return used + 1 <= burst ? 0 : (used + 1 - burst) * everyMs;
  }

  private add(key: string, count: number): void {
    const counted = this.spent.get(key);
    if (counted) counted.used = Math.max(0, counted.used + count);
  }
}
