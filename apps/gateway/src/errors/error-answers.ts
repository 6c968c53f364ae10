import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ApiError } from './api-error';
import { describeError } from './describe';

/** Twice what a file may have in base64. */
const MOST_DISCARDED_BYTES = 32 * 2 ** 20;

/** Sends whatever was thrown as an error response of the API. */
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
 * Fastify closes the connection behind a body that it refused. With bytes of it unread that is a reset, and a load
 * balancer or proxy in between may drop the response with it. What is left of a body that says its length is discarded
 * by the server instead, and the connection stays.
 */
const isSoonOver = ({ headers }: FastifyRequest): boolean => Number(headers['content-length']) <= MOST_DISCARDED_BYTES;

/** Where files come in, a body that is too large is a file that is. */
const isFileTooLarge = (error: unknown, { call }: FastifyRequest): boolean =>
  (call.policy?.bodyLimit ?? null) !== null &&
  error instanceof Error &&
  (error as Error & { code?: unknown }).code === 'FST_ERR_CTP_BODY_TOO_LARGE';
