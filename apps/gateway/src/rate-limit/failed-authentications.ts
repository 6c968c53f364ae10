import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import * as ipaddr from 'ipaddr.js';
import { LocalBuckets } from '@ponte/concurrency';
import type { Clock } from '@ponte/kernel';
import { lruCache } from '@ponte/kernel';
import { SYSTEM_CLOCK } from '@ponte/nest';
import { ApiKeyCache } from '../authentication/authentication';
import { namedKey } from '../authentication/credentials';
import { ApiError } from '../errors/api-error';
import type { GatewaySettings } from '../gateway.config';
import { GATEWAY_SETTINGS } from '../gateway-tokens.port';

/** An attacker who fills the memory evicts entries, but each of them costs a failure of another network. */
const MAX_LIMITED = 100_000;

const MESSAGE =
  'Too many failed authentications from this address. Keys in use are not affected; one that has not been used lately ' +
  'may have to wait: repeat the request after Retry-After seconds.';

/**
 * Limits failed authentications per client address. They cost look-ups and checks of signatures, and an answer to each
 * would tell an attacker what is wrong with it.
 *
 * Several partners may share one address, so no partner is locked out by the failures of another: a key that this
 * process knows is checked as before, and only what fails is answered with 429. Anyone can invent keys that it does not
 * know. Of these, an address with too many failures may have one looked up whenever its allowance has a token again.
 * Failures of known keys, such as a revoked one, count apart, so that they do not delay the look-up of a new key. Each
 * process counts for itself. A success gives nothing back.
 */
@Injectable()
export class FailedAuthentications {
  private readonly buckets = new LocalBuckets();
  /** Until when an address has no failure of an unknown key left. */
  private readonly limited = lruCache<string, number>(MAX_LIMITED);
  private readonly perMinute: number;

  constructor(
    @Inject(GATEWAY_SETTINGS) settings: Pick<GatewaySettings, 'failedAuthenticationsPerMinute'>,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(ApiKeyCache) private readonly keys: Pick<ApiKeyCache, 'knows'>,
  ) {
    this.perMinute = settings.failedAuthenticationsPerMinute;
  }

  /** Authenticates a request. Throws `rate-limited` instead of a further failure. */
  async limit<T>(request: FastifyRequest, authenticate: () => Promise<T>): Promise<T> {
    if (this.perMinute === 0) return authenticate();
    if (this.limited.size > 0) this.refuseUnknown(request);
    try {
      return await authenticate();
    } catch (error) {
      if (isFailure(error)) this.count(request);
      throw error;
    }
  }

  /** Refuses a key that is not known here, before it is looked up, if the address has no failure left. */
  private refuseUnknown({ headers, ip }: FastifyRequest): void {
    if (namedKey(headers) === undefined || this.isKnown(headers)) return;
    const waitMs = (this.limited.get(networkOf(ip)) ?? 0) - this.systemClock.now();
    if (waitMs > 0) throw tooMany(waitMs);
  }

  private count({ headers, ip }: FastifyRequest): void {
    const nowMs = this.systemClock.now();
    const network = networkOf(ip);
    const isKnown = this.isKnown(headers);
    const bucket = `${isKnown ? 'known' : 'unknown'} ${network}`;
    const perSecond = this.perMinute / 60;
    const { allowed, retryAfterMs } = this.buckets.take({ bucket, capacity: this.perMinute, perSecond, nowMs });
    if (allowed) return;
    if (!isKnown) this.limited.set(network, nowMs + retryAfterMs);
    throw tooMany(retryAfterMs);
  }

  private isKnown(headers: FastifyRequest['headers']): boolean {
    const keyId = namedKey(headers);
    return keyId !== undefined && this.keys.knows(keyId);
  }
}

const tooMany = (waitMs: number): ApiError =>
  new ApiError('rate-limited', {
    message: MESSAGE,
    headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) },
  });

/** Whether credentials were sent and are wrong. A request without any costs nothing and guesses nothing. */
const isFailure = (error: unknown): boolean =>
  error instanceof ApiError && error.definition.status === 401 && error.definition.code !== 'missing-credentials';

/** The IPv4 address, or the IPv6 network of one customer, who can use any address in it. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
