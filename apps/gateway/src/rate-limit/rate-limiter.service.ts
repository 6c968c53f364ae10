import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimits } from '@ponte/contracts';
import type { EdgeState, TokenRequest } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { EDGE_STATE, SYSTEM_CLOCK } from '@ponte/nest';
import { ApiKeyCache } from '../authentication/authentication.service';
import { namedKey } from '../authentication/credentials';
import type { Caller } from '../edge/request-context.service';
import { ApiError } from '../errors/api-error';
import type { GatewaySettings } from '../gateway.config';
import { GATEWAY_SETTINGS } from '../gateway-tokens.port';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** The key that a bucket belongs to, and the key's own limits, if any. */
type Holder = Pick<Caller, 'keyId' | 'rateLimits'>;

/** Token buckets per API key, separate for writes and reads and shared by all replicas of the gateway. */
@Injectable()
export class RateLimiter {
  constructor(
    @Inject(GATEWAY_SETTINGS) private readonly settings: Pick<GatewaySettings, 'rateLimits'>,
    @Inject(EDGE_STATE) private readonly edgeState: Pick<EdgeState, 'takeToken'>,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(ApiKeyCache) private readonly keys: Pick<ApiKeyCache, 'find' | 'knows'>,
  ) {}

  /** Takes a token and sets the rate-limit headers of the response. Throws `rate-limited` if the bucket was empty. */
  async take(reply: FastifyReply, holder: Holder, write: boolean): Promise<void> {
    const bucket = this.bucketOf(holder, write);
    const { allowed, tokens, retryAfterMs } = await this.edgeState.takeToken(bucket);
    showLimits(reply, bucket, tokens);
    // Whole seconds until the next token.
    const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
    if (!allowed) throw new ApiError('rate-limited', { headers: { 'retry-after': String(seconds) } });
  }

  /**
   * Whether a request names a key and its response has no rate-limit headers yet. A key that was refused with 429
   * before it was looked up is not looked up for these headers either.
   */
  isMissing({ headers }: FastifyRequest, reply: FastifyReply): boolean {
    if (reply.hasHeader('ratelimit-limit')) return false;
    const keyId = namedKey(headers);
    return keyId !== undefined && (reply.statusCode !== 429 || this.keys.knows(keyId));
  }

  /**
   * Sets the rate-limit headers for the key that a request names, for responses created without or before checking the
   * credentials. Takes nothing from the bucket, because any caller may have sent the request. Never fails: a key that
   * cannot be looked up counts as unknown.
   */
  async showNamed(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const keyId = namedKey(request.headers);
    if (keyId === undefined) return;
    try {
      const key = await this.keys.find(keyId);
      if (!key) return;
      const bucket = this.bucketOf(key.record, !READS.has(request.method));
      const { tokens } = await this.edgeState.takeToken({ ...bucket, peek: true });
      showLimits(reply, bucket, tokens);
    } catch {
      // The response matters more than these headers.
    }
  }

  private bucketOf({ keyId, rateLimits }: Holder, write: boolean): TokenRequest {
    const limits: RateLimits = rateLimits ?? this.settings.rateLimits;
    return {
      bucket: write ? `w${keyId}` : `r${keyId}`,
      capacity: write ? limits.writeBurst : limits.readBurst,
      perSecond: write ? limits.writesPerSecond : limits.readsPerSecond,
      nowMs: this.systemClock.now(),
    };
  }
}

/** Sets the headers: whole tokens left, and whole seconds until the bucket is full again. */
function showLimits(reply: FastifyReply, { capacity, perSecond }: TokenRequest, tokens: number): void {
  reply
    .header('ratelimit-limit', capacity)
    .header('ratelimit-remaining', Math.floor(tokens))
    .header('ratelimit-reset', Math.ceil((capacity - tokens) / perSecond));
}
