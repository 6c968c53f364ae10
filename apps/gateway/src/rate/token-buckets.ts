import type { RateLimits } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { BoundedMap } from '../edge/bounded-map';

/** What is left in a bucket after a request asked for one token. */
export interface Allowance {
  readonly allowed: boolean;
  /** Tokens of a full bucket. */
  readonly limit: number;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Whole seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** Whole seconds until the next token, at least 1. */
  readonly retryAfterSeconds: number;
}

interface Bucket { tokens: number; at: number }

/** Callers are few; the bound is against a mistake, not against them. */
const MAX_BUCKETS = 100_000;

/** Token buckets per API key, writes and reads apart (contract §6). In memory, so each replica counts its own. */
export class TokenBuckets {
  private readonly buckets = new BoundedMap<string, Bucket>(MAX_BUCKETS);

  constructor(private readonly defaults: RateLimits, private readonly systemClock: Clock) {}

  take(keyId: string, write: boolean, own: RateLimits | null): Allowance {
    const limits = own ?? this.defaults;
    const burst = write ? limits.writeBurst : limits.readBurst;
    const perSecond = write ? limits.writesPerSecond : limits.readsPerSecond;
    const now = this.systemClock.now();
    const bucket = this.bucket(write ? `w${keyId}` : `r${keyId}`, burst, now);
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) * perSecond) / 1000);
    bucket.at = now;
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    return {
      allowed,
      limit: burst,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.ceil((burst - bucket.tokens) / perSecond),
      retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)),
    };
  }

  private bucket(name: string, burst: number, now: number): Bucket {
    const found = this.buckets.get(name);
    if (found) return found;
    const full = { tokens: burst, at: now };
    this.buckets.set(name, full);
    return full;
  }
}
