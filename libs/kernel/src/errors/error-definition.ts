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

/** What the API, the OpenAPI document and the guides say of a code. */
export interface ErrorDetails {
  readonly status: number;
  readonly type: ApiErrorType;
  /** For people; shown when the violation brings no message of its own. */
  readonly message: string;
  /** Seconds of the `Retry-After` header, where a retry is the cure. */
  readonly retryAfter?: number;
}

/** A part of the catalogue whose codes share their status and type. The keys stay known to the compiler. */
export const errors = <const Messages extends Readonly<Record<string, string>>>(
  status: number,
  type: ApiErrorType,
  messages: Messages,
  retryAfter?: number,
): { readonly [Code in keyof Messages]: ErrorDetails } =>
  Object.fromEntries(
    Object.entries(messages).map(([code, message]) => [
      code,
      { status, type, message, ...(retryAfter === undefined ? {} : { retryAfter }) },
    ]),
  ) as { readonly [Code in keyof Messages]: ErrorDetails };
