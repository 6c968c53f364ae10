import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { Catch, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { LOGGER } from '@ponte/nest';
import { ApiError } from './api-error';
import { describeError } from './describe';

/** Sends whatever was thrown in the form of contract §3. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  if (reply.sent) return;
  const { status, headers, body } = describeError(isFileTooLarge(error, request) ? new ApiError('file-too-large') : error, request.call.logged, logger);
  request.span?.set({ 'ponte.error.code': body.error.code });
  void reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** Where files come in, a body that is too large is a file that is. */
const isFileTooLarge = (error: unknown, { call }: FastifyRequest): boolean =>
  (call.policy?.bodyLimit ?? null) !== null && error instanceof Error && (error as Error & { code?: unknown }).code === 'FST_ERR_CTP_BODY_TOO_LARGE';

/** The same for what a controller throws, which Nest would otherwise answer in its own form. */
@Catch()
export class ErrorAnswers implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answerError(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), this.logger);
  }
}
