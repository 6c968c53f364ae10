import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LocalBuckets } from '@ponte/concurrency';
import type { Clock } from '@ponte/kernel';
import { lruCache } from '@ponte/kernel';
import { METRICS, SYSTEM_CLOCK } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import { ApiKeyCache } from '../authentication/authentication.service';
import { namedKey } from '../authentication/credentials';
import { ApiError } from '../errors/api-error';
import type { GatewaySettings } from '../gateway.config';
import { GATEWAY_SETTINGS } from '../gateway-tokens.port';
import { LimitedFailures } from './limited-failures';
import { networkOf } from './network';

/** An attacker who fills the memory evicts entries, but each of them costs a failure of another network. */
const MAX_LIMITED = 100_000;

const UNCHECKED =
  'Too many failed authentications from this address. Keys in use are not affected; one that has not been used lately ' +
  'may have to wait: repeat the request after Retry-After seconds.';
const WRONG =
  'Too many failed authentications from this address, and these credentials are wrong too. What is wrong is shown ' +
  'again after Retry-After seconds.';

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
  private readonly keyFailures: LimitedFailures;
  private readonly tokenFailures: LimitedFailures;

  constructor(
    @Inject(GATEWAY_SETTINGS) settings: Pick<GatewaySettings, 'failedAuthenticationsPerMinute'>,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(ApiKeyCache) private readonly keys: Pick<ApiKeyCache, 'knows'>,
    @Inject(METRICS) metrics: Pick<Metrics, 'counter'>,
  ) {
    this.perMinute = settings.failedAuthenticationsPerMinute;
    this.keyFailures = new LimitedFailures(metrics, 'api-key');
    this.tokenFailures = new LimitedFailures(metrics, 'staff-token');
  }

  /**
   * Authenticates a request. Throws `too-many-failed-authentications` instead of a further failure, and `rate-limited`
   * if the key was not looked up.
   */
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

  /**
   * Checks the staff token, which takes no look-up, so it is checked for every request and only failures are limited.
   * Throws `too-many-failed-authentications` instead of a further failure.
   */
  limitStaff({ ip }: FastifyRequest, check: () => void): void {
    try {
      check();
    } catch (error) {
      if (this.perMinute === 0 || !isFailure(error)) throw error;
      const waitMs = this.waitOf(`staff ${networkOf(ip)}`);
      throw waitMs === 0 ? error : this.tokenFailures.refusal('wrong', waitMs, WRONG);
    }
  }

  /** Refuses a key that is not known here, before it is looked up, if the address has no failure left. */
  private refuseUnknown({ headers, ip }: FastifyRequest): void {
    if (namedKey(headers) === undefined || this.isKnown(headers)) return;
    const waitMs = (this.limited.get(networkOf(ip)) ?? 0) - this.systemClock.now();
    if (waitMs > 0) throw this.keyFailures.refusal('unchecked', waitMs, UNCHECKED);
  }

  private count({ headers, ip }: FastifyRequest): void {
    const network = networkOf(ip);
    const isKnown = this.isKnown(headers);
    const waitMs = this.waitOf(`${isKnown ? 'known' : 'unknown'} ${network}`);
    if (waitMs === 0) return;
    if (!isKnown) this.limited.set(network, this.systemClock.now() + waitMs);
    throw this.keyFailures.refusal('wrong', waitMs, WRONG);
  }

  /** Takes a failure from the allowance. Returns 0, or the milliseconds until there is one if none was left. */
  private waitOf(bucket: string): number {
    const { perMinute } = this;
    const nowMs = this.systemClock.now();
    const taken = this.buckets.take({ bucket, capacity: perMinute, perSecond: perMinute / 60, nowMs });
    return taken.allowed ? 0 : taken.retryAfterMs;
  }

  private isKnown(headers: FastifyRequest['headers']): boolean {
    const keyId = namedKey(headers);
    return keyId !== undefined && this.keys.knows(keyId);
  }
}

/** Whether credentials were sent and are wrong. A request without any costs nothing and guesses nothing. */
const isFailure = (error: unknown): boolean =>
  error instanceof ApiError && error.definition.status === 401 && error.definition.code !== 'missing-credentials';
