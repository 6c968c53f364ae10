import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { EdgeState, PersonalData, StoredAnswer } from '@ponte/event-sourcing';
import { isSealed } from '@ponte/event-sourcing';
import { canonicalJson, derivedId, isoTime, lruCache } from '@ponte/kernel';
import type { Clock, Violation } from '@ponte/kernel';
import { CLOCK_SKEW, EDGE_STATE, LOGGER, PERSONAL_DATA, SYSTEM_CLOCK } from '@ponte/nest';
import type { Call } from '../edge/request-context.service';
import type { RoutePolicy } from '../edge/route-policy';
import { ApiError } from '../errors/api-error';
import { MAX_BODY_BYTES } from '../server/limits';

/** How long a request that never ends locks its key, and how long a response is kept, in milliseconds. */
const LOCK_MS = 30_000;
const KEPT_MS = 24 * 3_600_000;
const KEY_FORM = /^[ -~]{1,255}$/;
const DAY_MS = 24 * 3_600_000;
/** After three days no response can be repeated. The later days are for a process that was stopped meanwhile. */
const [FIRST_EXPIRED_DAY, LAST_EXPIRED_DAY] = [3, 10];

/** The subject whose key seals the responses with a secret of one day (UTC). */
const answersOf = (ms: number): string => `gateway-answers-${isoTime(ms).slice(0, 10)}`;

/** Handles idempotency keys: the first response is kept for a day and returned for repetitions. */
@Injectable()
export class Idempotency {
  private readonly erased = lruCache<string, true>(LAST_EXPIRED_DAY);

  constructor(
    @Inject(EDGE_STATE) private readonly edgeState: EdgeState,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CLOCK_SKEW) private readonly clockSkew: { readonly isSane: boolean },
  ) {}

  /**
   * Locks the key of the request, if it has one, and resolves to undefined; resolves to the stored response if there is
   * one. Sets the command id in either case.
   */
  async begin(request: FastifyRequest, policy: RoutePolicy): Promise<StoredAnswer | undefined> {
    const { call } = request;
    const key = policy.keyed ? keyOf(request) : undefined;
    if (key === undefined) {
      call.commandId = call.id;
      return undefined;
    }
    // All holders of the staff token share one scope: the name that a request gives for its operator is not proved.
    const scope = [call.caller?.accountId ?? 'staff', call.accountId, policy.operation, key] as const;
    // A keyed hash: a body may contain a tax id, which could be guessed from a plain hash.
    const bodyHash = this.personalData.fingerprint('request-body', canonicalJson(requestOf(request, policy)));
    call.commandId = derivedId('request', ...scope, bodyHash);
    const name = derivedId('idempotency', ...scope);
    call.key = { scope: name, bodyHash };
    const start = await this.edgeState.begin({ scope: name, bodyHash, nowMs: this.systemClock.now(), lockMs: LOCK_MS });
    switch (start.kind) {
      case 'started':
        call.held = { scope: name, bodyHash, fence: start.fence };
        return undefined;
      case 'in-progress':
        throw new ApiError('idempotency-in-progress');
      case 'other-body':
        throw new ApiError('idempotency-key-reused');
      case 'done':
        return isSealed(start.body) ? { status: start.status, body: await this.personalData.open(start.body) } : start;
    }
  }

  /**
   * Stores a 2xx response, or a 422 that is about the request, before it is sent. Releases the key after any other: if
   * a service answers that the key belongs to another body, a repeat of that body must still get its resource. Never
   * fails the request.
   */
  async end(call: Call, reply: FastifyReply, payload: unknown): Promise<void> {
    const claim = call.held;
    if (!claim) return;
    call.held = null;
    const status = reply.statusCode;
    try {
      if (typeof payload !== 'string' || !isKept(status, payload))
        return await this.edgeState.abandon(claim.scope, claim.fence);
      const now = this.systemClock.now();
      const body = call.policy?.secretAnswer ? await this.personalData.seal(answersOf(now), payload) : payload;
      await this.edgeState.finish(claim.scope, claim.fence, { status, body }, now + KEPT_MS);
    } catch (error) {
      this.logger.error({ ...call.logged, err: error }, 'a response could not be stored for its idempotency key');
    }
  }

  /**
   * Deletes expired nonces and responses, and the keys of the secret ones, so that no backup of the database can be
   * read. Does nothing while the clock is wrong: other processes still need what seems to have expired, for example the
   * nonces that keep a signed request from being sent again.
   */
  async sweep(): Promise<void> {
    if (!this.clockSkew.isSane) return;
    const now = this.systemClock.now();
    await this.edgeState.sweep(now);
    for (let age = FIRST_EXPIRED_DAY; age <= LAST_EXPIRED_DAY; age += 1) {
      const subject = answersOf(now - age * DAY_MS);
      if (this.erased.has(subject)) continue;
      await this.personalData.erase(subject);
      this.erased.set(subject, true);
    }
  }
}

/** The key of a request whose shape was checked; undefined without one. */
const keyOf = ({ headers }: FastifyRequest): string | undefined => headers['idempotency-key'] as string | undefined;

/** The violation of a key that is empty, too long or not printable ASCII, on an operation that accepts a key. */
export function keyViolations({ headers }: FastifyRequest, { keyed }: RoutePolicy): readonly Violation[] {
  const key = headers['idempotency-key'];
  if (!keyed || key === undefined || (typeof key === 'string' && KEY_FORM.test(key))) return [];
  return [{ path: 'Idempotency-Key', code: 'invalid-format', message: 'must be 1 to 255 printable ASCII characters' }];
}

const isKept = (status: number, payload: string): boolean =>
  (status >= 200 && status < 300) || (status === 422 && typeOf(payload) !== 'idempotency');

/** The type of an error response. */
const typeOf = (payload: string): string => (JSON.parse(payload) as { error: { type: string } }).error.type;

/**
 * The content of a request for its hash: the body and the path parameters. The account acted on is left out, because
 * the scope of the key contains it and the path of a v0 route does not.
 */
function requestOf({ params, body, call }: FastifyRequest, { reach }: RoutePolicy): unknown {
  const { accountId, ...others } = params as Record<string, string>;
  return {
    body: call.upload ? withHashes(body as Readonly<Record<string, unknown>>) : (body ?? null),
    params: reach === 'account' || accountId === undefined ? others : { ...others, accountId },
  };
}

/** Replaces a file by its SHA-256, because as a text it would be copied several times. */
const withHashes = (body: Readonly<Record<string, unknown>>): unknown =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > MAX_BODY_BYTES
        ? createHash('sha256').update(value).digest('hex')
        : value,
    ]),
  );
