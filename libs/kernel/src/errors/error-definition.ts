/** The `type` of an error: what kind of action it requires of a client. */
type ApiErrorType =
  | 'invalid-request'
  | 'authentication'
  | 'permission'
  | 'not-found'
  | 'idempotency'
  | 'validation'
  | 'gone'
  | 'rate-limit'
  | 'service';

/** What the API, the OpenAPI document and the guides state about a code. */
export interface ErrorDetails {
  readonly status: number;
  readonly type: ApiErrorType;
  /** For people. Used when the violation has no message of its own. */
  readonly message: string;
  /** Seconds of the `Retry-After` header, if a retry can help. */
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
