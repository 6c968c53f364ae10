import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault, Clock, Ids } from '@ponte/kernel';
import type { Authentication } from '../auth/authentication';
import type { AccountReach } from '../auth/reach';
import { checkStaff } from '../auth/staff';
import { ApiError, shapeError } from '../errors/api-error';
import type { Idempotency } from '../idempotency/idempotency';
import type { StaffToken } from '../ports/staff-token';
import type { Allowance, TokenBuckets } from '../rate/token-buckets';
import { Call } from './call';
import type { Caller, RoutePolicy } from './call';
import { andThen } from './maybe-later';
import type { MaybeLater } from './maybe-later';
import { checkHeaders } from './negotiation';

/** What the steps of the edge work with. */
export interface PipelineParts {
  readonly authentication: Authentication;
  readonly reach: AccountReach;
  readonly staffToken: StaffToken;
  readonly buckets: TokenBuckets;
  readonly idempotency: Idempotency;
  readonly ids: Ids;
  readonly systemClock: Clock;
}

/**
 * The way of a request through the edge, the same for v0 and v1: id, headers, credentials, rate, access, reach; then, with
 * the body there, what the token says of it, shape, idempotency. Steps answer at once where they can, since a request with
 * a bearer key in memory then costs no promise at all.
 */
export class Pipeline {
  constructor(private readonly parts: PipelineParts) {}

  /** Before the body is read. */
  enter(request: FastifyRequest, reply: FastifyReply): MaybeLater<void> {
    const policy = request.routeOptions.config.policy ?? null;
    const call = new Call(this.parts.ids.next(), this.parts.systemClock.now(), policy);
    request.call = call;
    reply.header('x-request-id', call.id);
    checkHeaders(request);
    if (!policy || policy.reach === 'public') return undefined;
    if (policy.reach === 'staff') return this.enterStaff(request, call);
    return andThen(this.parts.authentication.identify(request, call), (caller) => this.admit(request, reply, call, policy, caller));
  }

  /** With the body read and parsed. True when the answer was already given. */
  judge(request: FastifyRequest, reply: FastifyReply): MaybeLater<boolean> {
    const { call } = request;
    const { policy, caller, proof } = call;
    if (!policy) return false;
    if (!proof || !caller) return this.judgeShape(request, reply, policy);
    return this.parts.authentication.prove(call, proof, caller.keyId).then(() => this.judgeShape(request, reply, policy));
  }

  private enterStaff(request: FastifyRequest, call: Call): void {
    checkStaff(request, this.parts.staffToken);
    call.actor = 'staff';
  }

  private admit(request: FastifyRequest, reply: FastifyReply, call: Call, policy: RoutePolicy, caller: Caller): MaybeLater<void> {
    call.caller = caller;
    call.actor = caller.keyId;
    call.accountId = caller.accountId;
    showAllowance(reply, this.parts.buckets.take(caller.keyId, policy.write, caller.rateLimits));
    if (policy.write && caller.access !== 'read-write') throw new ApiError('api-key-read-only');
    if (policy.reach !== 'account') return undefined;
    call.accountId = (request.params as Record<string, string>)['accountId'] ?? '';
    return this.parts.reach.check(caller.accountId, call.accountId);
  }

  private judgeShape(request: FastifyRequest, reply: FastifyReply, policy: RoutePolicy): MaybeLater<boolean> {
    const faults = faultsOf(request, policy);
    if (faults.length > 0) throw shapeError(faults);
    if (!policy.write) return false;
    const key = TAKES_KEY.has(request.method) ? this.parts.idempotency.keyOf(request) : undefined;
    if (key === undefined) {
      request.call.commandId = request.call.id;
      return false;
    }
    return this.parts.idempotency.begin(request.call, policy, key, request.body).then((stored) => {
      if (!stored) return false;
      reply.code(stored.status).header('idempotency-replayed', 'true').type('application/json; charset=utf-8').send(stored.body);
      return true;
    });
  }
}

/** An operation has a body or a query, never both. A body that was not sent is an empty one. */
function faultsOf(request: FastifyRequest, { query, body }: RoutePolicy): readonly Fault[] {
  if (body) {
    if (request.body === undefined) request.body = {};
    return body.faults(request.body);
  }
  if (!query) return [];
  // The parser's object has a prototype of its own.
  request.query = { ...(request.query as object) };
  return query.faults(request.query);
}

const TAKES_KEY: ReadonlySet<string> = new Set(['POST', 'PATCH']);

function showAllowance(reply: FastifyReply, allowance: Allowance): void {
  reply.header('ratelimit-limit', allowance.limit);
  reply.header('ratelimit-remaining', allowance.remaining);
  reply.header('ratelimit-reset', allowance.resetSeconds);
  if (!allowance.allowed) throw new ApiError('rate-limited', { headers: { 'retry-after': String(allowance.retryAfterSeconds) } });
}
