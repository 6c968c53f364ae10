/** The `type` of an error: what kind of thing a client has to do about it. */
export type ApiErrorType =
  | 'invalid-request'
  | 'authentication'
  | 'permission'
  | 'not-found'
  | 'idempotency'
  | 'validation'
  | 'gone'
  | 'rate-limit'
  | 'service';

/** One code of the catalogue: what the API, the OpenAPI document and the docs say of it. */
export interface ErrorDefinition {
  readonly code: string;
  readonly status: number;
  readonly type: ApiErrorType;
  /** For people; shown when the fault brings no message of its own. */
  readonly message: string;
  /** Seconds of the `Retry-After` header, where a retry is the cure. */
  readonly retryAfter?: number;
}

type Row = readonly [code: string, message: string];

/** A part of the catalogue whose codes share their status and type. */
export const errorDefinitions = (
  status: number,
  type: ApiErrorType,
  rows: readonly Row[],
  retryAfter?: number,
): ErrorDefinition[] =>
  rows.map(([code, message]) => ({ code, status, type, message, ...(retryAfter === undefined ? {} : { retryAfter }) }));
