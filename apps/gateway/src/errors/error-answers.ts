import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { RoutePolicy } from '../edge/route-policy';
import { ApiError } from './api-error';
import { describeError } from './describe';

/** The largest refused body that is discarded to keep the connection: twice the largest file in base64. */
const MAX_DISCARDED_BYTES = 32 * 2 ** 20;

/** Sends anything thrown as an error response of the API. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  if (reply.sent) return;
  const { status, headers, body } = describeError(specific(error, request), request.call.logged, logger);
  request.span?.set({ 'ponte.error.code': body.error.code });
  if (isSoonOver(request)) reply.removeHeader('connection');
  void reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/**
 * Whether the connection can be kept. Fastify closes it after a refused body. With unread bytes that is a reset, and a
 * load balancer or proxy may drop the response with it. If the body announces an acceptable length, the server discards
 * the rest of it instead.
 */
const isSoonOver = ({ headers }: FastifyRequest): boolean => Number(headers['content-length']) <= MAX_DISCARDED_BYTES;

/** Replaces errors whose code or message depends on what the route accepts. */
function specific(error: unknown, { call: { policy } }: FastifyRequest): unknown {
  const fastifyCode = error instanceof Error ? (error as Error & { readonly code?: unknown }).code : undefined;
  // On a route that accepts files, a body that is too large means that the file is too large.
  if (fastifyCode === 'FST_ERR_CTP_BODY_TOO_LARGE' && (policy?.bodyLimit ?? null) !== null)
    return new ApiError('file-too-large');
  const isUnsupported =
    fastifyCode === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ||
    (error instanceof ApiError && error.definition.code === 'unsupported-media-type');
  return isUnsupported ? new ApiError('unsupported-media-type', { message: acceptedBody(policy) }) : error;
}

/** The body that a route accepts, as a sentence. */
function acceptedBody(policy: RoutePolicy | null): string {
  if (!policy?.body) return 'The request must be sent without Content-Encoding.';
  const types = policy.readForm ? 'application/json or multipart/form-data' : 'application/json';
  return `The body must be ${types}, without Content-Encoding.`;
}
