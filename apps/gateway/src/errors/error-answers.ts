import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ApiError } from './api-error';
import { describeError } from './describe';

/** The largest refused body that is discarded to keep the connection: twice the largest file in base64. */
const MOST_DISCARDED_BYTES = 32 * 2 ** 20;

/** Sends anything thrown as an error response of the API. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  if (reply.sent) return;
  const { status, headers, body } = describeError(
    isFileTooLarge(error, request) ? new ApiError('file-too-large') : error,
    request.call.logged,
    logger,
  );
  request.span?.set({ 'ponte.error.code': body.error.code });
  if (isSoonOver(request)) reply.removeHeader('connection');
  void reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/**
 * Whether the connection can be kept. Fastify closes it after a refused body. With unread bytes that is a reset, and a
 * load balancer or proxy may drop the response with it. If the body announces an acceptable length, the server discards
 * the rest of it instead.
 */
const isSoonOver = ({ headers }: FastifyRequest): boolean => Number(headers['content-length']) <= MOST_DISCARDED_BYTES;

/** On a route that accepts files, a body that is too large means that the file is too large. */
const isFileTooLarge = (error: unknown, { call }: FastifyRequest): boolean =>
  (call.policy?.bodyLimit ?? null) !== null &&
  error instanceof Error &&
  (error as Error & { code?: unknown }).code === 'FST_ERR_CTP_BODY_TOO_LARGE';
