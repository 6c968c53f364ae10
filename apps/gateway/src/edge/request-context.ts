import type { FastifyRequest } from 'fastify';
import type { ApiKeyAccess, RateLimits, StaffRole } from '@ponte/contracts';
import type { LoggedOrigin } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { ShedPriority } from '../load-shedding/load-shedder';
import type { ShapeCheck } from '../validation/shape-check';
import type { SignedIn } from '../staff/signed-in';
import type { FormFields } from '../bodies/multipart-body';
import type { UploadRoom } from '../load-shedding/upload-budget';

/** Whose data a route works on, and therefore who may call it. */
export type Reach =
  /** Any caller, without credentials. */
  | 'public'
  /** The account of the caller's key. */
  | 'own'
  /** The account in the path: the caller's own or one of its sub-accounts. */
  | 'account'
  /** A holder of the installation's staff token. Partner keys never have this access. */
  | 'staff'
  /** Staff with a session and one of the route's roles. */
  | 'session';

/**
 * How a command is treated while an account is frozen. `service`: the service behind the route checks the account acted
 * on as part of its own decision.
 */
export type WhileFrozen = 'refused' | 'service' | 'allowed';

/** What the gateway needs to know about a route. It is part of the route's Fastify configuration. */
export interface RoutePolicy {
  /** The name shared by the v0 and the v1 route of an operation. */
  readonly operation: string;
  readonly reach: Reach;
  /** The staff roles that may call it, if the reach is `session`. */
  readonly roles: readonly StaffRole[];
  /** Whether it may change something. */
  readonly write: boolean;
  /** When the operation is shed while accepted work is late; null if it does not begin new work. */
  readonly shedPriority: ShedPriority | null;
  /** Whether `Prefer: dry-run` is supported: everything is checked and nothing is written. */
  readonly dryRun: boolean;
  /** For a command of a partner: how it is treated while an account is frozen. */
  readonly whileFrozen: WhileFrozen;
  /** Whether it accepts an Idempotency-Key. */
  readonly keyed: boolean;
  /** The media types of its response; the Accept header has to allow one of them. */
  readonly produces: readonly string[];
  readonly body: ShapeCheck | null;
  readonly query: ShapeCheck | null;
  /** For a v0 route: the path of its successor. */
  readonly successor: string | null;
  /** Whether the response contains a secret, which is sealed wherever the response is stored. */
  readonly secretAnswer: boolean;
  /** The body limit in bytes for routes that accept files; null for the usual limit. */
  readonly bodyLimit: number | null;
  /** Converts a multipart form to the JSON body; null if only JSON is accepted. Throws a shape error. */
  readonly readForm: ((fields: FormFields) => unknown) | null;
}

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
export interface HeldKey {
  readonly scope: string;
  /** A keyed hash of the request's parameters and body. */
  readonly bodyHash: string;
  readonly fence: number;
}

/** An idempotency key in the form passed to services, which derive the ids of money resources from it. */
export interface RequestKey {
  /** Identifies caller, account, operation and key. */
  readonly scope: string;
  /** Identifies the body. */
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
  /** The actor recorded in events: an API key id, the id of a staff member, or `staff`. */
  actor = '';
  rawBody: Buffer | null = null;
  /** The paths of body members that would poison a prototype; nearly always empty. */
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

  /** The members that identify the request in log lines. */
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
