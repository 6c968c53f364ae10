import { ForbiddenException } from '@nestjs/common';
import type { Logger } from 'pino';
import type { LoggedOrigin } from '@ponte/event-sourcing';
import { isDiskFailure } from '@ponte/event-sourcing';
import type { PublicErrorCode, Violation, ErrorDefinition } from '@ponte/kernel';
import { Refusal, Unavailable } from '@ponte/kernel';
import { ApiError } from './api-error';
import { findErrorDefinition, errorDefinitionOf } from './catalogue';
import { sentenceOf } from './sentence';

/** A violation in a response. Its code may be missing from the catalogue. */
type ErrorDetail = Omit<Violation, 'code'> & { readonly path: string; readonly code: string; readonly message: string };

/** An error response. */
interface Described {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly error: {
      readonly type: string;
      readonly message: string;
      readonly code: string;
      readonly details?: readonly ErrorDetail[];
    };
  };
}

/** The codes for Fastify's own errors. Any other Fastify error with a status below 500 is a malformed request. */
const FASTIFY_CODES: Readonly<Record<string, PublicErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_INVALID_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed-json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed-json',
  FST_ERR_BAD_URL: 'route-not-found',
};

/** The path of a violation that does not name one: the header that is wrong. The others are of the whole request. */
const HEADERS: Readonly<Record<string, string>> = { 'idempotency-key-reused': 'Idempotency-Key' };

/** The largest number of violations in a response, which is otherwise many times larger than the request. */
export const MOST_DETAILS = 100;

const HTTP_BAD_REQUEST = 400;
const HTTP_UNAUTHORIZED = 401;

/**
 * Converts anything thrown to an error response. Unexpected errors, such as a full disk, are logged with the request's
 * id (`correlation-id`) and their details are never returned.
 */
export function describeError(error: unknown, origin: LoggedOrigin, logger: Logger): Described {
  if (error instanceof ApiError) return described(error.definition, error.message, error.violations, error.headers);
  if (error instanceof Refusal) return refused(error, origin, logger);
  if (error instanceof Unavailable) {
    return described(errorDefinitionOf(error.code), error.message, undefined, {
      'retry-after': String(Math.max(1, Math.ceil(error.retryAfterSeconds))),
    });
  }
  // Nest throws this when a guard denies a request.
  if (error instanceof ForbiddenException) return described(errorDefinitionOf('account-access-denied'));
  const edge = fastifyCode(error);
  if (edge) return described(errorDefinitionOf(edge));
  if (isDiskFailure(error)) {
    logger.error({ ...origin, err: error }, 'a request failed because a disk cannot be written or read');
    return described(errorDefinitionOf('service-unavailable'));
  }
  logger.error({ ...origin, err: error }, 'a request failed with an unexpected error');
  return described(errorDefinitionOf('internal-error'));
}

/** How long clients wait after a refusal that this build does not know, in seconds. */
const UNKNOWN_RETRY_SECONDS = 60;

/**
 * The status is that of the first violation, so a missing permission takes precedence over a rule checked after it. A
 * code that is not in the catalogue is that of a service with a newer version, whose status is not known here. It is
 * 503, which no idempotency key keeps, so that a repetition gets the right response once the gateway is upgraded.
 */
function refused(refusal: Refusal, origin: LoggedOrigin, logger: Logger): Described {
  const definition = findErrorDefinition(refusal.code);
  if (!definition) logger.error({ ...origin, code: refusal.code }, 'a refusal has a code that is not in the catalogue');
  return described(
    definition ?? {
      ...{ code: refusal.code, status: 503, type: 'service', message: refusal.message },
      retryAfter: UNKNOWN_RETRY_SECONDS,
    },
    refusal.message,
    refusal.violations,
    retryAfter(refusal.violations),
  );
}

/** The header of a rate limit of a service, which says in its violation how long it lasts. */
function retryAfter([first]: readonly Violation[]): Readonly<Record<string, string>> {
  const seconds = first?.['retry-after-seconds'];
  return typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {};
}

function described(
  definition: ErrorDefinition,
  message = definition.message,
  violations?: readonly Violation[],
  headers: Readonly<Record<string, string>> = {},
): Described {
  const { status, type, code } = definition;
  const all: readonly ErrorDetail[] | undefined =
    status === 400 || status === 422 ? (violations ?? [{ path: '', code, message }]) : undefined;
  const details = all?.slice(0, MOST_DETAILS);
  const left = all && all.length > MOST_DETAILS ? ` ${moreThanListed(all.length)}` : '';
  return {
    status,
    headers: { ...usualHeaders(definition), ...headers },
    body: {
      error: {
        type,
        message: `${sentenceOf(violations?.[0]?.path ?? '', message)}${left}`,
        code,
        ...(details ? { details: details.map(detailOf) } : {}),
      },
    },
  };
}

const moreThanListed = (count: number) =>
  `There are ${count} violations, and \`details\` lists the first ${MOST_DETAILS}.`;

function usualHeaders({ status, retryAfter }: ErrorDefinition): Record<string, string> {
  if (status === HTTP_UNAUTHORIZED) return { 'www-authenticate': 'Bearer' };
  return retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
}

/** A violation as sentences, with its fields in order: `path`, `code`, `message`, then any others. */
const detailOf = ({ path, code, message, ...extra }: ErrorDetail): ErrorDetail => ({
  path: path || (HEADERS[code] ?? ''),
  code,
  message: sentenceOf(path, message),
  ...extra,
});

function fastifyCode(error: unknown): PublicErrorCode | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  // The caller disconnected or sent invalid data before the body was complete, so no one reads the response.
  if (code === 'ECONNRESET' && statusCode === HTTP_BAD_REQUEST) return 'malformed-request';
  if (typeof code !== 'string' || !code.startsWith('FST_ERR_')) return undefined;
  const known = FASTIFY_CODES[code];
  if (known) return known;
  return typeof statusCode === 'number' && statusCode < 500 ? 'malformed-request' : undefined;
}
