import { apiErrorOf, PonteConnectionError, PonteTimeoutError } from './errors';
import type { ErrorDetail, PonteApiError } from './errors';
import type { ResponseInfo } from './operation-types';
import { retryAfterOf } from './retry';

/** The request that an error refers to. */
interface SentRequest {
  readonly method: string;
  readonly uri: string;
  readonly idempotencyKey: string | null;
}

/** What a caller may learn about a response besides its body. */
export const infoOf = ({ status, headers }: Response, attempts: number): ResponseInfo => ({
  status,
  headers,
  attempts,
  requestId: headers.get('x-request-id'),
  replayed: headers.get('idempotency-replayed') === 'true',
});

/** No answer arrived in time. Whether the request took effect is unknown. */
export const timedOut = (ms: number, { method, uri, idempotencyKey }: SentRequest): PonteTimeoutError =>
  new PonteTimeoutError(`${method} ${pathOf(uri)} was not answered within ${ms} ms`, idempotencyKey);

/** The connection failed before the complete response arrived. */
export const unanswered = (error: unknown, { method, uri, idempotencyKey }: SentRequest): PonteConnectionError =>
  new PonteConnectionError(`${method} ${pathOf(uri)} got no answer: ${reasonOf(error)}`, idempotencyKey, {
    cause: error,
  });

const reasonOf = (error: unknown): string => {
  const { cause, message } = (error ?? {}) as { cause?: { message?: string }; message?: string };
  return cause?.message || message || String(error);
};

const pathOf = (uri: string): string => uri.split('?')[0] ?? uri;

/** Converts an error response. One that is not from the API, such as a proxy's, has the code `unreadable-response`. */
export async function errorOf(response: Response, idempotencyKey: string | null): Promise<PonteApiError> {
  const { type = 'unknown', code, message, details = [] } = bodyOf(await response.text())?.error ?? {};
  if (typeof code !== 'string') return unreadable(response, idempotencyKey, 'the body is not an error of the API');
  return apiErrorOf({ ...answered(response, idempotencyKey), type, code, message: message ?? code, details });
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

const answered = ({ status, headers }: Response, idempotencyKey: string | null) => ({
  status,
  idempotencyKey,
  requestId: headers.get('x-request-id'),
  retryAfterMs: retryAfterOf(headers),
});

/** The response cannot be understood, for example because it is from a proxy. `why` says what is wrong. */
export const unreadable = (response: Response, idempotencyKey: string | null, why: string): PonteApiError =>
  apiErrorOf({
    ...answered(response, idempotencyKey),
    type: 'unknown',
    code: 'unreadable-response',
    message: `HTTP ${response.status}: ${why}`,
    details: [],
  });
