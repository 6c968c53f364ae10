import type { PublicErrorCode } from '@ponte/kernel';
import type { StaffRole } from '@ponte/contracts';
import type { ShedPriority } from '../load-shedding/load-shedder';
import type { Reach, WhileFrozen } from '../edge/request-context';
import type { FormFields } from '../bodies/multipart-body';
import type { BodyForm } from '../validation/shape-check';
import type { Shape } from '../validation/members';
import { exampleOf } from '../validation/members';

interface Described<T extends object = object> {
  readonly shape: Shape<T>;
  readonly example: T;
  readonly form?: BodyForm;
}

/** A multipart form as another way to send the same body. */
interface Multipart {
  readonly shape: Shape;
  readonly read: (fields: FormFields) => unknown;
}

/** An operation of the API: what the edge enforces and the document shows, said once. */
export interface OperationSpec {
  /** The operation's id in the document, unique. */
  readonly id: string;
  /** Name under which v0 and v1 are one operation; the id when absent. */
  readonly operation?: string;
  readonly summary: string;
  readonly reach: Reach;
  /** Who of the staff may, where the reach is `session`. */
  readonly roles?: readonly StaffRole[];
  /** Of what begins new work: when it is put off while accepted work is behind. */
  readonly shedPriority?: ShedPriority;
  /** True where `Prefer: dry-run` (RFC 7240) is honoured; the handler reads it from the call. */
  readonly dryRun?: boolean;
  /** Of a command of a partner, `refused` unless given; reads are always allowed. */
  readonly whileFrozen?: WhileFrozen;
  /** False where no Idempotency-Key is taken; a session never takes one. */
  readonly keyed?: boolean;
  /** 200 unless given. */
  readonly status?: number;
  readonly body?: Described;
  readonly query?: Shape;
  readonly answer?: Described;
  /** True for a list, which may go on in another page. */
  readonly paged?: boolean;
  /** Codes beyond those that every operation of its kind may answer. */
  readonly errors?: readonly PublicErrorCode[];
  /** Of an operation of v0 alone: the path that takes its place. */
  readonly successor?: string;
  /** The same operation in v0, on the key's own account. */
  readonly v0?: { readonly path: string; readonly summary: string };
  readonly secretAnswer?: boolean;
  /** Another status with the same answer, and when it is given. */
  readonly also?: { readonly status: number; readonly summary: string };
  /** Bytes of a body, where files come in. */
  readonly bodyLimit?: number;
  readonly multipart?: Multipart;
  /** Media types of an answer that is bytes and no JSON. */
  readonly bytes?: readonly string[];
}

/** Ties a shape to an example of it, so that the compiler sees that one is the other. */
export const described = <T extends object>(
  shape: Shape<T>,
  example: T = exampleOf(shape),
  form?: BodyForm,
): Described<T> => ({ shape, example, ...(form ? { form } : {}) });
