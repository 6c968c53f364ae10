import type { PublicErrorCode } from '@ponte/kernel';
import type { StaffRole } from '@ponte/contracts';
import type { ShedPriority } from '../load-shedding/load-shedder';
import type { Reach, WhileFrozen } from '../edge/route-policy';
import type { FormFields } from '../bodies/multipart-body';
import type { BodyForm } from '../validation/shape-check';
import type { Shape } from '../validation/fields';
import { exampleOf } from '../validation/fields';

interface Described<T extends object = object> {
  readonly shape: Shape<T>;
  readonly example: T;
  readonly form?: BodyForm;
}

/** A multipart form that can be sent instead of the JSON body. */
interface Multipart {
  readonly shape: Shape;
  readonly read: (fields: FormFields) => unknown;
}

/** An operation of the API: the single definition of what the gateway enforces and what the document says. */
export interface OperationSpec {
  /** The operation's unique id in the document. */
  readonly id: string;
  /** The name shared by the v0 and v1 routes of the operation; `id` if absent. */
  readonly operation?: string;
  readonly summary: string;
  readonly reach: Reach;
  /** The staff roles that may call it, if the reach is `session`. */
  readonly roles?: readonly StaffRole[];
  /** When the operation is shed while accepted work is late; only for operations that begin new work. */
  readonly shedPriority?: ShedPriority;
  /** Whether `Prefer: dry-run` (RFC 7240) is supported; the handler reads it from the call. */
  readonly dryRun?: boolean;
  /** For a command of a partner; `refused` by default. Reads are always allowed. */
  readonly whileFrozen?: WhileFrozen;
  /** False if no Idempotency-Key is accepted. Operations with a session never accept one. */
  readonly keyed?: boolean;
  /** 200 by default. */
  readonly status?: number;
  readonly body?: Described;
  readonly query?: Shape;
  readonly answer?: Described;
  /** True for a list with pages. */
  readonly paged?: boolean;
  /** Error codes in addition to the usual ones of its kind of operation. */
  readonly errors?: readonly PublicErrorCode[];
  /** Only for an operation of v0: the path of its successor. */
  readonly successor?: string;
  /** The same operation in v0, for the key's own account. */
  readonly v0?: { readonly path: string; readonly summary: string };
  readonly secretAnswer?: boolean;
  /** Another status with the same response body, and when it is returned. */
  readonly also?: { readonly status: number; readonly summary: string };
  /** The body limit in bytes for an operation that accepts files. */
  readonly bodyLimit?: number;
  readonly multipart?: Multipart;
  /** The media types of a binary response. */
  readonly bytes?: readonly string[];
}

/** Combines a shape with an example, so that the compiler checks the example's type. */
export const described = <T extends object>(
  shape: Shape<T>,
  example: T = exampleOf(shape),
  form?: BodyForm,
): Described<T> => ({ shape, example, ...(form ? { form } : {}) });
