import { apiErrorOf, isApiError, PonteAbortError, PonteConnectionError, PonteTimeoutError } from './errors';
import type { ErrorDetail, PonteApiError, RequestOutcome } from './errors';
import type { CallOptions, ResponseInfo } from './operation-types';
import { retryAfterOf } from './retry';

/** The request that an error refers to. */
interface SentRequest {
  readonly method: string;
  readonly uri: string;
  readonly idempotencyKey: string | null;
}

const UNREADABLE = 'unreadable-response';

/**
 * Tells the caller about the last response, after `attempts` requests. An observer that fails must not turn a payment
 * that was made into an error.
 */
export function report(response: Response | null, attempts: number, { onResponse }: CallOptions): void {
  if (!response) return;
  try {
    onResponse?.(infoOf(response, attempts));
  } catch {
    // The result of the call does not depend on it.
  }
}

const infoOf = ({ status, headers }: Response, attempts: number): ResponseInfo => ({
  status,
  headers,
  attempts,
  requestId: headers.get('x-request-id'),
  replayed: headers.get('idempotency-replayed') === 'true',
});

/** A write may have been processed if one was sent and no response says that it was not. */
const outcomeOf = ({ method, idempotencyKey }: SentRequest, isUnknown: boolean): RequestOutcome => ({
  idempotencyKey,
  mayHaveBeenProcessed: isUnknown && method !== 'GET',
});

/** No response arrived in time. Whether the request took effect is unknown. */
export const timedOut = (ms: number, request: SentRequest): PonteTimeoutError =>
  new PonteTimeoutError(`${named(request)} was not answered within ${ms} ms`, outcomeOf(request, true));

/** The connection failed before the complete response arrived. */
export const unanswered = (error: unknown, request: SentRequest): PonteConnectionError =>
  new PonteConnectionError(`${named(request)} got no answer: ${reasonOf(error)}`, {
    ...outcomeOf(request, true),
    cause: error,
  });

/** The caller's signal ended the call. `wasSent` is true if an attempt may have been processed. */
export function aborted(reason: unknown, request: SentRequest, wasSent: boolean): PonteAbortError {
  const outcome = outcomeOf(request, wasSent);
  const remark = outcome.mayHaveBeenProcessed ? '; it may have been processed' : '';
  return new PonteAbortError(`${named(request)} was aborted${remark}`, { ...outcome, cause: reason });
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = (error ?? {}) as { cause?: { message?: string }; message?: string };
  return cause?.message || message || String(error);
};

const named = ({ method, uri }: SentRequest): string => `${method} ${uri.split('?')[0] ?? uri}`;

/**
 * Converts an error response. One that is not from the API, such as a proxy's, has the code `unreadable-response`.
 * `isUnknown` is true if the outcome of an earlier attempt is unknown.
 */
export async function errorOf(response: Response, request: SentRequest, isUnknown: boolean): Promise<PonteApiError> {
  const { type = 'unknown', code, message, details = [] } = bodyOf(await response.text())?.error ?? {};
  if (typeof code !== 'string') return unreadable(response, request, isUnknown, 'the body is not an error of the API');
  return apiErrorOf({ ...answered(response, request, isUnknown, code), type, message: message ?? code, details });
}

interface ErrorBody {
  readonly error?: Partial<{ type: string; code: string; message: string; details: ErrorDetail[] }>;
}

function bodyOf(text: string): ErrorBody | null {
  try {
    return JSON.parse(text) as ErrorBody | null;
  } catch {
    return null;
  }
}

const answered = ({ status, headers }: Response, request: SentRequest, isUnknown: boolean, code: string) => ({
  ...outcomeOf(request, leavesUnknown(status, code) || (isUnknown && !isDecisive(status, code))),
  status,
  code,
  requestId: headers.get('x-request-id'),
  retryAfterMs: retryAfterOf(headers),
});

/** Whether a response says nothing about what happened to its request. */
const leavesUnknown = (status: number, code: string): boolean =>
  status >= 500 || status === 408 || code === 'idempotency-in-progress' || (status < 300 && code === UNREADABLE);

/**
 * Statuses of checks that precede the search for an earlier request with the same key; of 429, all but
 * `too-many-pix-key-look-ups` do.
 */
const BEFORE_THE_KEY = new Set([401, 403, 429]);

/** Whether a refusal holds for the earlier attempts too: it answers the key, or would be the same for all of them. */
const isDecisive = (status: number, code: string): boolean => !BEFORE_THE_KEY.has(status) && code !== UNREADABLE;

/** The response cannot be understood, for example because it is from a proxy. `why` says what is wrong. */
export const unreadable = (response: Response, request: SentRequest, isUnknown: boolean, why: string): PonteApiError =>
  apiErrorOf({
    ...answered(response, request, isUnknown, UNREADABLE),
    type: 'unknown',
    message: `HTTP ${response.status}: ${why}`,
    details: [],
  });

/** Whether an earlier attempt, whose response was lost, has deleted what the last attempt did not find. */
export const isDeleted = ({ method }: SentRequest, error: PonteApiError | PonteConnectionError): boolean =>
  method === 'DELETE' && isApiError(error) && error.status === 404 && !NOT_ABOUT_THE_RESOURCE.has(error.code);

/** The codes of a 404 that say nothing about the resource. */
const NOT_ABOUT_THE_RESOURCE = new Set<string>(['route-not-found', UNREADABLE]);
