import type { FastifyRequest } from 'fastify';
import type { ApiKeyAccess, RateLimits, StaffRole } from '@ponte/contracts';
import type { LoggedOrigin } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { ShedPriority } from '../load-shedding/load-shedder';
import type { ShapeCheck } from '../validation/shape-check';
import type { SignedIn } from '../staff/signed-in';
import type { FormFields } from '../bodies/multipart-body';
import type { UploadRoom } from '../load-shedding/upload-budget';

/** Whose data a route works on, and so who may call it. */
export type Reach =
  /** Anybody, without credentials. */
  | 'public'
  /** The account of the caller's key. */
  | 'own'
  /** The account of the path: the caller's own, or one whose parent is the caller. */
  | 'account'
  /** A holder of the installation's staff token. Partner keys never get this principal. */
  | 'staff'
  /** Staff with a session and one of the route's roles. */
  | 'session';

/**
 * What a route does when the account is frozen. `service`: the service behind it checks the account acted on, in its
 * own decision.
 */
export type WhileFrozen = 'refused' | 'service' | 'allowed';

/** What the edge has to know of a route. Stands in the route's Fastify configuration. */
export interface RoutePolicy {
  /** One name for the v0 and the v1 form of an operation. */
  readonly operation: string;
  readonly reach: Reach;
  /** Who of the staff may, where the reach is `session`. */
  readonly roles: readonly StaffRole[];
  /** True when it may change something. */
  readonly write: boolean;
  /** Of what begins new work: when it is put off while accepted work is behind. */
  readonly shedPriority: ShedPriority | null;
  /** True when `Prefer: dry-run` has everything checked and nothing written. */
  readonly dryRun: boolean;
  /** Of a command of a partner: what becomes of it while an account is frozen. */
  readonly whileFrozen: WhileFrozen;
  /** True when it takes an Idempotency-Key. */
  readonly keyed: boolean;
  /** True when its answer is JSON, for which Accept has to leave room. */
  readonly json: boolean;
  readonly body: ShapeCheck | null;
  readonly query: ShapeCheck | null;
  /** Of a v0 route: the path of its successor. */
  readonly successor: string | null;
  /** True when the answer holds a secret, which is then sealed wherever the answer is kept. */
  readonly secretAnswer: boolean;
  /** Bytes of a body where files come in; null for the usual limit. */
  readonly bodyLimit: number | null;
  /** Makes the JSON body of a multipart form; null where only JSON is taken. Throws a shape error. */
  readonly readForm: ((fields: FormFields) => unknown) | null;
}

/** A caller that proved to hold an API key. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  readonly access: ApiKeyAccess;
  readonly rateLimits: RateLimits | null;
}

/** What a signed token still has to prove once the body is there. */
export interface PendingProof {
  /** The claim as it was sent, undefined when absent. */
  readonly bodyHash: string | undefined;
  readonly nonce: string;
}

/** An idempotency key that this request holds the lock of. */
export interface HeldKey {
  readonly scope: string;
  /** Keyed hash of everything that the request asks for. */
  readonly bodyHash: string;
  readonly fence: number;
}

/** An idempotency key as a service may know it: money resources are created under an id that follows from it. */
export interface RequestKey {
  /** Identifies caller, account, operation and key. */
  readonly scope: string;
  /** Identifies the body. */
  readonly bodyHash: string;
}

const NONE: readonly string[] = [];

/** One request on its way through the edge. */
export class Call {
  caller: Caller | null = null;
  /** Who of the staff asks, on a route that takes a session. */
  staff: SignedIn | null = null;
  /** Account acted on; empty for staff and public routes. */
  accountId = '';
  /** Who asks, as events name it: an API key id, the id of someone of the staff, or `staff`. */
  actor = '';
  rawBody: Buffer | null = null;
  /** Paths of members of the body that would poison a prototype; nearly always none. */
  poison: readonly string[] = NONE;
  proof: PendingProof | null = null;
  held: HeldKey | null = null;
  /** True when nothing may be written for this request. */
  dryRun = false;
  /** Gives the request's slot back; null where it took none. */
  leave: (() => void) | null = null;
  /** Memory reserved for the file in the body, or null. */
  upload: UploadRoom | null = null;
  /** System time from which the deadline of the services counts, epoch milliseconds. */
  deadlineFrom: number;
  /** The idempotency key of the request; null without one. */
  key: RequestKey | null = null;
  /** The span of the request, as W3C Trace Context writes it; undefined where nothing is traced. */
  traceparent: string | undefined;
  /**
   * Identity of the command: derived from the idempotency key and the body when there is a key, else the request's id.
   * Empty for a read.
   */
  commandId = '';

  constructor(
    /** Also the correlation id of everything that follows from the request. */
    readonly id: string,
    /** System time, epoch milliseconds. */
    readonly startedAt: number,
    readonly policy: RoutePolicy | null,
  ) {
    this.deadlineFrom = startedAt;
  }

  /** What lines of the log say of the request. */
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

/** A request whose route has an account, and perhaps more, in its path. */
export type AccountRequest = FastifyRequest<{ Params: Record<string, string> }>;
