import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ApiKeyAccess, RateLimits } from '@ponte/contracts';
import type { LoggedOrigin, MessageBus, RequestDefinition } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { IDS, MESSAGE_BUS, SYSTEM_CLOCK } from '@ponte/nest';
import type { UploadRoom } from '../load-shedding/upload-budget';
import type { SignedIn } from '../staff/signed-in';
import type { RoutePolicy } from './route-policy';

/** A caller that has proved that it holds an API key. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  readonly access: ApiKeyAccess;
  readonly rateLimits: RateLimits | null;
}

/** The claims of a signed token that can only be checked with the body. */
export interface PendingProof {
  /** The claim as sent; undefined if absent. */
  readonly bodyHash: string | undefined;
  readonly nonce: string;
}

/** An idempotency key whose lock this request holds. */
interface HeldKey {
  readonly scope: string;
  /** A keyed hash of the request's parameters and body. */
  readonly bodyHash: string;
  readonly fence: number;
}

/** An idempotency key in the form passed to services, which derive the ids of money resources from it. */
interface RequestKey {
  /** Identifies caller, account, operation and key. */
  readonly scope: string;
  readonly bodyHash: string;
}

const NONE: readonly string[] = [];

/** The state of one request in the gateway. */
export class Call {
  caller: Caller | null = null;
  /** The staff member who makes the request, on a route with the reach `session`. */
  staff: SignedIn | null = null;
  /** The account acted on; empty for staff and public routes. */
  accountId = '';
  /** The actor recorded in events: an API key id, the id of a staff member, `staff:` and a name, or `staff`. */
  actor = '';
  rawBody: Buffer | null = null;
  /** The paths of body fields that would poison a prototype; nearly always empty. */
  poison: readonly string[] = NONE;
  proof: PendingProof | null = null;
  held: HeldKey | null = null;
  /** Whether nothing may be written for this request. */
  dryRun = false;
  /** Gives the request's slot back; null if it holds none. */
  leave: (() => void) | null = null;
  /** The memory reserved for a body with a file, or null. */
  upload: UploadRoom | null = null;
  /** The system time from which the services' deadline counts, in epoch milliseconds. */
  deadlineFrom: number;
  /** The idempotency key of the request; null without one. */
  key: RequestKey | null = null;
  /** The span of the request in the format of W3C Trace Context; undefined if it is not traced. */
  traceparent: string | undefined;
  /**
   * The id of the command: derived from the idempotency key and the body if there is a key, otherwise the request's id.
   * Empty for a read.
   */
  commandId = '';

  constructor(
    /** Also the correlation id of everything that the request causes. */
    readonly id: string,
    /** System time in epoch milliseconds. */
    readonly startedAt: number,
    readonly policy: RoutePolicy | null,
  ) {
    this.deadlineFrom = startedAt;
  }

  /** The fields that identify the request in log lines. */
  get logged(): LoggedOrigin {
    return logged({ correlationId: this.id, traceparent: this.traceparent });
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    policy?: RoutePolicy;
  }
  interface FastifyRequest {
    call: Call;
  }
}

/** A request to a route with an account id, and possibly other parameters, in its path. */
export type AccountRequest = FastifyRequest<{ Params: Record<string, string> }>;

/**
 * After this time a request is dropped without being executed, and the caller is informed that a retry with the same
 * key is safe.
 */
export const REQUEST_DEADLINE_MS = 10_000;

/** Sends requests to the services, for a call or for the gateway itself. */
@Injectable()
export class Services {
  constructor(
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
  ) {}

  request<P, R>(
    definition: RequestDefinition<P, R>,
    payload: P,
    call: Call,
    commandId = call.commandId || call.id,
  ): Promise<R> {
    return this.bus.request(definition, payload, {
      commandId,
      correlationId: call.id,
      actor: call.actor,
      deadline: call.deadlineFrom + REQUEST_DEADLINE_MS,
      traceparent: call.traceparent,
    });
  }

  /** As {@link request}, for a response that continues after its request. The deadline counts from now. */
  later<P, R>(definition: RequestDefinition<P, R>, payload: P, call: Call): Promise<R> {
    return this.bus.request(definition, payload, {
      commandId: call.id,
      correlationId: call.id,
      actor: call.actor,
      deadline: this.systemClock.now() + REQUEST_DEADLINE_MS,
      traceparent: call.traceparent,
    });
  }

  /** A request of the gateway itself, without a call. */
  lookUp<P, R>(definition: RequestDefinition<P, R>, payload: P): Promise<R> {
    const id = this.ids.next();
    const deadline = this.systemClock.now() + REQUEST_DEADLINE_MS;
    return this.bus.request(definition, payload, { commandId: id, correlationId: id, actor: 'gateway', deadline });
  }
}
