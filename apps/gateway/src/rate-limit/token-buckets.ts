import type { RateLimits } from '@ponte/contracts';
import type { EdgeState, TokenAnswer } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';

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

/** Token buckets per API key, writes and reads apart, which all replicas of the edge take from. */
export class TokenBuckets {
  constructor(
    private readonly defaults: RateLimits,
    private readonly edgeState: Pick<EdgeState, 'takeToken'>,
    private readonly systemClock: Clock,
  ) {}

  take(keyId: string, write: boolean, own: RateLimits | null): Promise<Allowance> {
    return this.ask(keyId, write, own, false);
  }

  /** What the key may still do, without taking anything of it. */
  peek(keyId: string, write: boolean, own: RateLimits | null): Promise<Allowance> {
    return this.ask(keyId, write, own, true);
  }

  private async ask(keyId: string, write: boolean, own: RateLimits | null, peek: boolean): Promise<Allowance> {
    const limits = own ?? this.defaults;
    const capacity = write ? limits.writeBurst : limits.readBurst;
    const perSecond = write ? limits.writesPerSecond : limits.readsPerSecond;
    const taken = await this.edgeState.takeToken({
      bucket: write ? `w${keyId}` : `r${keyId}`,
      capacity,
      perSecond,
      nowMs: this.systemClock.now(),
      ...(peek ? { peek } : {}),
    });
    return allowance(taken, capacity, perSecond);
  }
}

const allowance = ({ allowed, tokens, retryAfterMs }: TokenAnswer, capacity: number, perSecond: number): Allowance => ({
  allowed,
  limit: capacity,
  remaining: Math.floor(tokens),
  resetSeconds: Math.ceil((capacity - tokens) / perSecond),
  retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)),
});
