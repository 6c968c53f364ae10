import { lruCache } from '@ponte/kernel';
import type { TokenAnswer, TokenRequest } from '@ponte/event-sourcing';

interface Bucket {
  tokens: number;
  at: number;
}

/** There are few callers. The limit protects against a programming error. */
const MAX_BUCKETS = 100_000;

/** Token buckets in the memory of one process. */
export class LocalBuckets {
  private readonly buckets = lruCache<string, Bucket>(MAX_BUCKETS);

  /** A bound function, so it can be passed on. */
  readonly take = ({ bucket: name, capacity, perSecond, nowMs, peek, tokens = 1 }: TokenRequest): TokenAnswer => {
    const bucket = this.bucket(name, capacity, nowMs);
    // A clock that goes back neither takes tokens nor adds them twice.
    bucket.tokens = Math.min(capacity, bucket.tokens + (Math.max(0, nowMs - bucket.at) * perSecond) / 1_000);
    bucket.at = Math.max(bucket.at, nowMs);
    const allowed = bucket.tokens >= tokens;
    if (allowed && !peek) bucket.tokens = Math.min(capacity, bucket.tokens - tokens);
    return { allowed, tokens: bucket.tokens, retryAfterMs: untilNext(bucket.tokens, perSecond, tokens) };
  };

  private bucket(name: string, capacity: number, nowMs: number): Bucket {
    const found = this.buckets.get(name);
    if (found) return found;
    const full = { tokens: capacity, at: nowMs };
    this.buckets.set(name, full);
    return full;
  }
}

/** Milliseconds until a bucket with this number of tokens has a whole one, or the number that a request takes. */
export const untilNext = (tokens: number, perSecond: number, required = 1): number =>
  Math.max(0, Math.ceil(((required - tokens) / perSecond) * 1_000));
