import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock, Ids } from '@ponte/kernel';
import type { Runtime } from '@ponte/nest';
import { CLOCK_SKEW, IDS, RUNTIME, SYSTEM_CLOCK } from '@ponte/nest';
import { STAFF_TOKEN } from '../gateway-tokens.port';
import { Authentication } from '../authentication/authentication.service';
import { AccountAccess } from '../authorization/account-access.service';
import { checkStaff, staffActor } from '../authentication/staff';
import { ApiError } from '../errors/api-error';
import { Idempotency } from '../idempotency/idempotency.service';
import type { StaffToken } from '../staff/staff-token.port';
import { FailedAuthentications } from '../rate-limit/failed-authentications.service';
import { RateLimiter } from '../rate-limit/rate-limiter.service';
import { StaffGuard } from '../staff/staff.guard';
import { Admission, whenOver } from '../load-shedding/admission.service';
import { LoadShedder } from '../load-shedding/load-shedder';
import { Call, REQUEST_DEADLINE_MS } from './request-context.service';
import type { Caller } from './request-context.service';
import type { RoutePolicy } from './route-policy';
import { checkHeaders, checkPath, checkShape, dryRunOf } from './request-checks';
import { UploadBudget } from '../load-shedding/upload-budget';

const CLOCK_OFF =
  'The clock of this process is wrong, so it does not accept writes. It is safe to retry with the same Idempotency-Key.';

/**
 * The steps that every request takes through the gateway, the same for v0 and v1. Before the body is read: id, headers,
 * credentials, rate limit and access. With the body: the claims of the token, the shape, idempotency and whether the
 * accounts are active.
 */
@Injectable()
export class Pipeline {
  constructor(
    private readonly authentication: Authentication,
    private readonly failures: FailedAuthentications,
    private readonly access: AccountAccess,
    @Inject(STAFF_TOKEN) private readonly staffToken: StaffToken,
    private readonly staffGuard: StaffGuard,
    private readonly rateLimiter: RateLimiter,
    private readonly uploads: UploadBudget,
    private readonly admission: Admission,
    private readonly loadShedder: LoadShedder,
    private readonly idempotency: Idempotency,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(CLOCK_SKEW) private readonly clockSkew: { readonly isSane: boolean },
    @Inject(RUNTIME) private readonly runtime: Pick<Runtime, 'environment'>,
  ) {}

  /** Runs before the body is read. */
  async enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const policy = request.routeOptions.config.policy ?? null;
    const call = new Call(this.ids.next(), this.systemClock.now(), policy);
    request.call = call;
    if (request.span) call.traceparent = request.span.traceparent;
    // A route may override these headers later.
    reply
      .header('x-request-id', call.id)
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff');
    checkHeaders(request);
    checkPath(request);
    if (!policy || policy.reach === 'public') return;
    if (policy.write && !this.clockSkew.isSane) throw new ApiError('service-unavailable', { message: CLOCK_OFF });
    if (policy.reach === 'staff') {
      this.failures.limitStaff(request, () => checkStaff(request, this.staffToken));
      call.actor = staffActor(request, policy.write, this.runtime.environment);
      return;
    }
    if (policy.reach === 'session') return this.staffGuard.enter(request, call, policy);
    this.refuseExcess(request, policy);
    const caller =
      this.authentication.remembered(request) ??
      (await this.failures.limit(request, () => this.authentication.identify(request, call)));
    await this.admit(request, reply, call, policy, caller);
  }

  /** Runs when the body has been read and parsed. Resolves to the reply if the response was already sent. */
  async check(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { call } = request;
    const { policy, caller, proof } = call;
    if (!policy) return undefined;
    if (caller) this.takeSlot(request, reply, caller, policy);
    if (proof && caller) await this.authentication.prove(call, proof, caller.keyId, hasBody(request));
    checkShape(request, policy);
    if (!policy.write) return undefined;
    if (policy.dryRun && dryRunOf(request.headers) === 'yes') {
      // Skip idempotency: its record would be stored, and would later be returned for the real request.
      call.dryRun = true;
      call.commandId = call.id;
      reply.header('preference-applied', 'dry-run');
    }
    const stored = call.dryRun ? undefined : await this.idempotency.begin(request, policy);
    if (!stored) {
      // After the look-up, so that a repeated request gets its response even if the account was frozen since.
      if (caller) await this.access.checkStanding(caller.accountId, call.accountId, policy.whileFrozen);
      return undefined;
    }
    return reply
      .code(stored.status)
      .header('idempotency-replayed', 'true')
      .type('application/json; charset=utf-8')
      .send(stored.body);
  }

  /** Runs before any other work for a partner, so that a request that is shed does not use up its idempotency key. */
  private refuseExcess(request: FastifyRequest, { shedPriority, operation }: RoutePolicy): void {
    const wait = shedPriority === null ? undefined : this.loadShedder.sheds(shedPriority, operation);
    if (wait !== undefined)
      throw new ApiError('service-unavailable', {
        message: 'The service is busy with accepted work. It is safe to retry with the same Idempotency-Key.',
        headers: { 'retry-after': String(wait) },
      });
    if (!this.admission.hasRoom(request.ip)) throw new ApiError('service-unavailable');
  }

  /**
   * Runs after the body was read, so that a slow sender holds no slot. The slot is given back when the response is
   * handed over. If the caller disconnects before that, the work goes on, so the slot is kept for at most the deadline.
   * The duration of an upload does not change the limit, because inspecting and storing a file takes time of its own.
   */
  private takeSlot(
    request: FastifyRequest,
    reply: FastifyReply,
    { keyId }: Caller,
    { bodyLimit }: Pick<RoutePolicy, 'bodyLimit'>,
  ): void {
    const leave = this.admission.enter({ keyId, address: request.ip, learns: bodyLimit === null });
    if (!leave) throw new ApiError('service-unavailable');
    request.call.leave = leave;
    whenOver(request.raw, reply.raw, () => {
      if (request.call.leave) this.admission.leaveLater(leave, REQUEST_DEADLINE_MS);
    });
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
    await this.rateLimiter.take(reply, caller, policy.write);
    if (policy.write && caller.access !== 'read-write') throw new ApiError('api-key-read-only');
    if (policy.bodyLimit !== null) this.makeRoom(request, reply, caller, policy.bodyLimit);
    if (policy.reach === 'account') {
      call.accountId = (request.params as Record<string, string>)['accountId'] ?? '';
      await this.access.checkReach(caller.accountId, call.accountId);
    }
  }

  /**
   * A body with a file is read only if there is memory for it. The memory is released when the response is handed over.
   * If the caller disconnects before that, it is released at once while the body is being read, and at the deadline if
   * the work has already begun.
   */
  private makeRoom(request: FastifyRequest, reply: FastifyReply, { accountId }: Caller, limit: number): void {
    const room = this.uploads.take(accountId, Number(request.headers['content-length'] ?? limit), limit);
    if (!room) throw new ApiError('service-unavailable');
    request.call.upload = room;
    whenOver(request.raw, reply.raw, () => {
      if (room.working) this.admission.leaveLater(room.release, REQUEST_DEADLINE_MS);
      else room.release();
    });
  }
}

/** Whether the request has a body, read or not. */
const hasBody = ({ headers, call }: FastifyRequest): boolean =>
  call.rawBody === null
    ? headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    : call.rawBody.length > 0;
