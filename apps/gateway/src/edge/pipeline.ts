import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Violation, Clock, Ids } from '@ponte/kernel';
import type { Authentication } from '../authentication/authentication';
import type { AccountReach } from '../authorization/reach';
import type { AccountStandingCheck } from '../authorization/standing';
import { checkStaff } from '../authentication/staff';
import { ApiError, shapeError } from '../errors/api-error';
import type { Idempotency } from '../idempotency/idempotency';
import type { StaffToken } from '../staff/staff-token.port';
import { showAllowance } from '../rate-limit/named-allowance';
import type { Allowance, TokenBuckets } from '../rate-limit/token-buckets';
import type { StaffGuard } from '../staff/guard';
import { MAX_BODY_BYTES } from './adapter';
import type { Admission } from '../load-shedding/admission';
import type { LoadShedder } from '../load-shedding/load-shedder';
import { Call } from './request-context';
import type { Caller, RoutePolicy } from './request-context';
import { checkHeaders, checkPath } from './negotiation';
import { prefersDryRun } from './preferences';
import { REQUEST_DEADLINE_MS } from './services';
import type { UploadBudget } from '../load-shedding/upload-budget';
import { whenOver } from './when-over';

/** What the steps of the edge work with. */
export interface PipelineParts {
  readonly authentication: Authentication;
  readonly reach: AccountReach;
  readonly standing: AccountStandingCheck;
  readonly staffToken: StaffToken;
  readonly staffGuard: StaffGuard;
  readonly buckets: TokenBuckets;
  readonly uploads: UploadBudget;
  readonly admission: Admission;
  readonly loadShedder: LoadShedder;
  readonly idempotency: Idempotency;
  readonly ids: Ids;
  readonly systemClock: Clock;
  readonly clockSkew: { readonly isSane: boolean };
}

const CLOCK_OFF = 'The clock of this process is wrong, so it takes no writes; a retry with the same key is safe.';

/**
 * The way of a request through the edge, the same for v0 and v1: id, headers, credentials, rate, access, reach; then,
 * with the body there, what the token says of it, shape, idempotency.
 */
export class Pipeline {
  constructor(private readonly parts: PipelineParts) {}

  /** Before the body is read. */
  async enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const policy = request.routeOptions.config.policy ?? null;
    const call = new Call(this.parts.ids.next(), this.parts.systemClock.now(), policy);
    request.call = call;
    if (request.span) call.traceparent = request.span.traceparent;
    // A route may say otherwise later.
    reply
      .header('x-request-id', call.id)
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff');
    checkHeaders(request);
    checkPath(request);
    if (!policy || policy.reach === 'public') return;
    if (policy.write && !this.parts.clockSkew.isSane) throw new ApiError('service-unavailable', { message: CLOCK_OFF });
    if (policy.reach === 'staff') return this.enterStaff(request, call);
    if (policy.reach === 'session') return this.parts.staffGuard.enter(request, call, policy);
    this.refuseExcess(request, policy);
    const caller = await this.parts.authentication.identify(request, call);
    await this.admit(request, reply, call, policy, caller);
  }

  /** With the body read and parsed. True when the answer was already given. */
  async judge(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { call } = request;
    const { policy, caller, proof } = call;
    if (!policy) return false;
    if (caller) this.takeSlot(request, reply, caller);
    if (proof && caller) await this.parts.authentication.prove(call, proof, caller.keyId, hasBody(request));
    return this.judgeShape(request, reply, policy);
  }

  /** Runs before anything is done for a partner, so that a request that is shed does not use up its idempotency key. */
  private refuseExcess(request: FastifyRequest, { shedPriority, operation }: RoutePolicy): void {
    const { admission, loadShedder } = this.parts;
    const wait = shedPriority === null ? undefined : loadShedder.sheds(shedPriority, operation);
    if (wait !== undefined)
      throw new ApiError('service-unavailable', {
        message: 'Accepted work has to be carried out first; a retry with the same key is safe.',
        headers: { 'retry-after': String(wait) },
      });
    if (!admission.hasRoom(request.ip)) throw new ApiError('service-unavailable');
  }

  /**
   * With the body there: how slowly it came is no work of ours. The slot is given back when the response is handed
   * over. When the caller has gone before that, the work goes on, so the slot is kept until its deadline at the latest.
   */
  private takeSlot(request: FastifyRequest, reply: FastifyReply, { keyId }: Caller): void {
    const leave = this.parts.admission.enter({ keyId, address: request.ip });
    if (!leave) throw new ApiError('service-unavailable');
    request.call.leave = leave;
    whenOver(request.raw, reply.raw, () => {
      if (request.call.leave) this.parts.admission.leaveLater(leave, REQUEST_DEADLINE_MS);
    });
  }

  private enterStaff(request: FastifyRequest, call: Call): void {
    checkStaff(request, this.parts.staffToken);
    call.actor = 'staff';
  }

  private async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    call: Call,
    policy: RoutePolicy,
    caller: Caller,
  ): Promise<void> {
    call.caller = caller;
    call.actor = caller.keyId;
    call.accountId = caller.accountId;
    enforce(reply, await this.parts.buckets.take(caller.keyId, policy.write, caller.rateLimits));
    await this.allow(request, reply, call, policy, caller);
  }

  private async allow(
    request: FastifyRequest,
    reply: FastifyReply,
    call: Call,
    policy: RoutePolicy,
    caller: Caller,
  ): Promise<void> {
    if (policy.write && caller.access !== 'read-write') throw new ApiError('api-key-read-only');
    if (policy.bodyLimit !== null) this.makeRoom(request, reply, caller, policy.bodyLimit);
    if (policy.reach === 'account') {
      call.accountId = (request.params as Record<string, string>)['accountId'] ?? '';
      await this.parts.reach.check(caller.accountId, call.accountId);
    }
    await this.parts.standing.check(caller.accountId, call.accountId, policy.whileFrozen);
  }

  /**
   * A body that holds a file is read only when there is memory for it. It is free again when the response is handed
   * over. When the caller has gone before that, at once while the body was read, and at the deadline when it was worked
   * on already.
   */
  private makeRoom(request: FastifyRequest, reply: FastifyReply, { accountId }: Caller, limit: number): void {
    const room = this.parts.uploads.take(accountId, Number(request.headers['content-length'] ?? limit), limit);
    if (!room) throw new ApiError('service-unavailable');
    request.call.upload = room;
    whenOver(request.raw, reply.raw, () => {
      if (room.working) this.parts.admission.leaveLater(room.release, REQUEST_DEADLINE_MS);
      else room.release();
    });
  }

  private async judgeShape(request: FastifyRequest, reply: FastifyReply, policy: RoutePolicy): Promise<boolean> {
    const violations = violationsOf(request, policy);
    if (violations.length > 0) throw shapeError(violations);
    if (!policy.write) return false;
    if (policy.dryRun && prefersDryRun(request.headers)) {
      // Without the idempotency key: its record would be written, and would answer the real request later.
      request.call.dryRun = true;
      request.call.commandId = request.call.id;
      reply.header('preference-applied', 'dry-run');
      return false;
    }
    const key = policy.keyed ? this.parts.idempotency.keyOf(request) : undefined;
    if (key === undefined) {
      request.call.commandId = request.call.id;
      return false;
    }
    const stored = await this.parts.idempotency.begin(request.call, policy, key, requestOf(request, policy));
    if (!stored) return false;
    reply
      .code(stored.status)
      .header('idempotency-replayed', 'true')
      .type('application/json; charset=utf-8')
      .send(stored.body);
    return true;
  }
}

/** Whether the request came with a body, read or not. */
const hasBody = ({ headers, call }: FastifyRequest): boolean =>
  call.rawBody === null
    ? headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    : call.rawBody.length > 0;

/** An operation has a body or a query, never both. A body that was not sent is an empty one. */
function violationsOf(request: FastifyRequest, { query, body }: RoutePolicy): readonly Violation[] {
  if (body) {
    request.body = request.body === undefined ? {} : body.prepare(request.body);
    return withPoison(body.violations(request.body), request.call.poison);
  }
  if (!query) return [];
  // The parser's object has a prototype of its own.
  const sent = query.prepare({ ...(request.query as object) }) as Record<string, unknown>;
  request.query = sent;
  return query
    .violations(sent)
    .map((one) =>
      one.code === 'invalid-type' && Array.isArray(sent[one.path]) ? { ...one, message: 'must be sent once' } : one,
    );
}

/** Where a shape lets any member in, those that poison prototypes still are none. */
function withPoison(violations: readonly Violation[], poison: readonly string[]): readonly Violation[] {
  if (poison.length === 0) return violations;
  const reported = new Set(violations.map(({ path }) => path));
  return [
    ...violations,
    ...poison
      .filter((path) => !reported.has(path))
      .map((path): Violation => ({ path, code: 'unknown-field', message: 'is not a member of this request' })),
  ];
}

/**
 * What a request asks for: its body, on the resources of its path. The account acted on is left out, since an
 * idempotency key's scope has it, and the path of a v0 route has not.
 */
function requestOf({ params, body, call }: FastifyRequest, { reach }: RoutePolicy): unknown {
  const { accountId, ...others } = params as Record<string, string>;
  return {
    body: call.upload ? withHashes(body as Readonly<Record<string, unknown>>) : (body ?? null),
    params: reach === 'account' || accountId === undefined ? others : { ...others, accountId },
  };
}

/** A file takes part by its SHA-256: as a text it would be copied several times. */
const withHashes = (body: Readonly<Record<string, unknown>>): unknown =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > MAX_BODY_BYTES
        ? createHash('sha256').update(value).digest('hex')
        : value,
    ]),
  );

function enforce(reply: FastifyReply, allowance: Allowance): void {
  showAllowance(reply, allowance);
  if (!allowance.allowed)
    throw new ApiError('rate-limited', { headers: { 'retry-after': String(allowance.retryAfterSeconds) } });
}
