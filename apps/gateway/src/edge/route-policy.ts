import type { StaffRole } from '@ponte/contracts';
import type { FormFields } from '../bodies/multipart-body';
import type { ShedPriority } from '../load-shedding/load-shedder';
import type { ShapeCheck } from '../validation/shape-check';

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
