import { Inject, Injectable } from '@nestjs/common';
import type { RateLimits } from '@ponte/contracts';
import type { EdgeState, TokenAnswer } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { EDGE_STATE, SYSTEM_CLOCK } from '@ponte/nest';
import type { GatewaySettings } from '../gateway.config';
import { GATEWAY_SETTINGS } from '../gateway-tokens.port';

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
@Injectable()
export class TokenBuckets {
  constructor(
    @Inject(GATEWAY_SETTINGS) private readonly settings: Pick<GatewaySettings, 'rateLimits'>,
    @Inject(EDGE_STATE) private readonly edgeState: Pick<EdgeState, 'takeToken'>,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
  ) {}

  take(keyId: string, write: boolean, own: RateLimits | null): Promise<Allowance> {
    return this.ask(keyId, write, own, false);
  }

  /** What the key may still do, without taking anything of it. */
  peek(keyId: string, write: boolean, own: RateLimits | null): Promise<Allowance> {
    return this.ask(keyId, write, own, true);
  }

  private async ask(keyId: string, write: boolean, own: RateLimits | null, peek: boolean): Promise<Allowance> {
    const limits = own ?? this.settings.rateLimits;
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
