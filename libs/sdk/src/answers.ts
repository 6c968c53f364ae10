import { apiErrorOf, PonteConnectionError, PonteTimeoutError } from './errors';
import type { ErrorDetail, PonteApiError } from './errors';
import type { ResponseInfo } from './operation-types';
import { retryAfterOf } from './retry';

/** What an answer, or its absence, means to the caller. */
interface SentRequest {
  readonly method: string;
  readonly uri: string;
  readonly idempotencyKey: string | null;
}

export const infoOf = ({ status, headers }: Response, attempts: number): ResponseInfo => ({
  status,
  headers,
  attempts,
  requestId: headers.get('x-request-id'),
  replayed: headers.get('idempotency-replayed') === 'true',
});

export const timedOut = (ms: number, { method, uri, idempotencyKey }: SentRequest): PonteTimeoutError =>
  new PonteTimeoutError(`${method} ${pathOf(uri)} was not answered within ${ms} ms`, idempotencyKey);

/** Of what `fetch` and a stream reject with; typed errors, and faults of the program, stay as they are. */
export function typed(error: unknown, { method, uri, idempotencyKey }: SentRequest): unknown {
  const network =
    error instanceof TypeError || (error as { name?: string } | null)?.name === 'AbortError' || hasCode(error);
  return network
    ? new PonteConnectionError(`${method} ${pathOf(uri)} got no answer: ${reasonOf(error)}`, idempotencyKey, {
        cause: error,
      })
    : error;
}

const hasCode = (error: unknown): boolean =>
  typeof (error as { code?: unknown } | null)?.code === 'string' && !('status' in (error as object));

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
};

const pathOf = (uri: string): string => uri.split('?')[0] ?? uri;

export async function errorOf(response: Response, idempotencyKey: string | null): Promise<{ error: PonteApiError }> {
  const body = (await response.json().catch(() => null)) as {
    error?: Partial<{ type: string; code: string; message: string; details: ErrorDetail[] }>;
  } | null;
  const { type, code, message, details = [] } = body?.error ?? {};
  if (typeof code !== 'string')
    return { error: unreadable(response, idempotencyKey, 'the body is not an error of the API') };
  return {
    error: apiErrorOf({
      ...answered(response, idempotencyKey),
      type: type ?? 'unknown',
      code,
      message: message ?? code,
      details,
    }),
  };
}

const answered = ({ status, headers }: Response, idempotencyKey: string | null) => ({
  status,
  idempotencyKey,
  requestId: headers.get('x-request-id'),
  retryAfterMs: retryAfterOf(headers),
});

export const unreadable = (response: Response, idempotencyKey: string | null, why: string): PonteApiError =>
  apiErrorOf({
    ...answered(response, idempotencyKey),
    type: 'unknown',
    code: 'unreadable-response',
    message: `HTTP ${response.status}: ${why}`,
    details: [],
  });
