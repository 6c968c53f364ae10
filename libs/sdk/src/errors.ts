import type { ERROR_CODES } from './generated/error-codes';

/** A code of the API's catalogue; later versions of the API may add codes. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** One violation of a request. */
export interface ErrorDetail {
  /** The field or the parameter that is wrong; empty for the whole request. */
  readonly path: string;
  readonly code: ErrorCode | (string & {});
  readonly message: string;
  /** Additional fields of some codes, such as `order-id` of `quote-already-accepted`. */
  readonly [member: string]: unknown;
}

/** Identifies errors across two copies of the package in one program, where `instanceof` fails. */
const BRAND = Symbol.for('@ponte/sdk.error');

/** What is known about the request of an error. */
export interface RequestOutcome {
  readonly idempotencyKey: string | null;
  readonly mayHaveBeenProcessed: boolean;
}

/** Base class of every error of this package. */
export class PonteError extends Error {
  override readonly name: string = 'PonteError';
  readonly [BRAND] = true;
  /** The idempotency key of the write; null for a call without one. */
  readonly idempotencyKey: string | null;
  /**
   * True if the outcome of a write is unknown: a request was sent, and no response says whether it was processed.
   * Repeat the call with `idempotencyKey`: if it was processed, its response is returned again. A deletion has no key
   * and can be repeated as it is.
   */
  readonly mayHaveBeenProcessed: boolean;

  constructor(message?: string, options: ErrorOptions & Partial<RequestOutcome> = {}) {
    super(message, options);
    this.idempotencyKey = options.idempotencyKey ?? null;
    this.mayHaveBeenProcessed = options.mayHaveBeenProcessed ?? false;
  }
}

/** The API could not be reached, or its response was lost. A write may have been processed. */
export class PonteConnectionError extends PonteError {
  override readonly name: string = 'PonteConnectionError';
}

/** An attempt took longer than `timeoutMs`. A write may have been processed. */
export class PonteTimeoutError extends PonteConnectionError {
  override readonly name: string = 'PonteTimeoutError';
}

/** The caller's signal ended the call; `cause` is the reason of the signal. A write may have been processed. */
export class PonteAbortError extends PonteError {
  override readonly name: string = 'PonteAbortError';
}

/** A key, an option or a parameter is invalid; nothing was sent. */
export class PonteConfigurationError extends PonteError {
  override readonly name: string = 'PonteConfigurationError';
}

/** The content of an error response. */
export interface ErrorAnswer {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | null;
  /** The delay of the `Retry-After` header, in milliseconds. */
  readonly retryAfterMs: number | null;
  readonly idempotencyKey: string | null;
  /** Default: false. */
  readonly mayHaveBeenProcessed?: boolean;
}

/** The API refused the request. Compare `code`; messages are for people and may change. */
export class PonteApiError<Code extends string = ErrorCode | (string & {})> extends PonteError {
  override readonly name: string = 'PonteApiError';
  readonly status: number;
  readonly type: string;
  readonly code: Code;
  /** The violations, at most 100, in the order of the rules; empty unless the status is 400 or 422. */
  readonly details: readonly ErrorDetail[];
  /** Quote it in support cases. */
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;

  constructor(answer: ErrorAnswer, options: ErrorOptions = {}) {
    const { idempotencyKey, mayHaveBeenProcessed = false } = answer;
    super(answer.message, { ...options, idempotencyKey, mayHaveBeenProcessed });
    this.status = answer.status;
    this.type = answer.type;
    this.code = answer.code as Code;
    this.details = answer.details;
    this.requestId = answer.requestId;
    this.retryAfterMs = answer.retryAfterMs;
  }
}

/** 400, 405, 406, 408, 413, 415: the request has the wrong form. */
export class InvalidRequestError extends PonteApiError {
  override readonly name = 'InvalidRequestError';
}
/** 401: the key or the signature is wrong. */
export class AuthenticationError extends PonteApiError {
  override readonly name = 'AuthenticationError';
}
/** 403: the account, the key or a capability does not allow it. */
export class PermissionError extends PonteApiError {
  override readonly name = 'PermissionError';
}
/** 404: the resource of the path does not exist. */
export class NotFoundError extends PonteApiError {
  override readonly name = 'NotFoundError';
}
/** 409: the first request with this idempotency key is still running. */
export class ConflictError extends PonteApiError {
  override readonly name = 'ConflictError';
}
/** 410: the position is older than the event log. */
export class GoneError extends PonteApiError {
  override readonly name = 'GoneError';
}
/** 422: a business rule is violated, or the idempotency key was used with another body. */
export class ValidationError extends PonteApiError {
  override readonly name = 'ValidationError';
}
/** 429: the key has sent too many requests, or its address too many wrong credentials. */
export class RateLimitError extends PonteApiError {
  override readonly name = 'RateLimitError';
}
/** 5xx: the service failed or is not available. */
export class ServiceError extends PonteApiError {
  override readonly name = 'ServiceError';
}

const BY_STATUS: Readonly<Record<number, new (answer: ErrorAnswer) => PonteApiError>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  422: ValidationError,
  429: RateLimitError,
};

/** Creates the error of a response, in the class of its status. */
export function apiErrorOf(answer: ErrorAnswer): PonteApiError {
  const known = BY_STATUS[answer.status];
  if (known) return new known(answer);
  if (answer.status >= 500) return new ServiceError(answer);
  return answer.status >= 400 ? new InvalidRequestError(answer) : new PonteApiError(answer);
}

/** True for any error of this package, from any copy of it. */
export const isPonteError = (error: unknown): error is PonteError =>
  typeof error === 'object' && error !== null && (error as Partial<PonteError>)[BRAND] === true;

/** True for an API error with one of these codes, or with any code if none is given. */
export function isApiError<Code extends ErrorCode>(error: unknown, ...codes: Code[]): error is PonteApiError<Code> {
  if (!isPonteError(error) || !('status' in error)) return false;
  return codes.length === 0 || codes.includes((error as PonteApiError).code as Code);
}
