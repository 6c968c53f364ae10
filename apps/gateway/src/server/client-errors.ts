import type { PublicErrorCode } from '@ponte/kernel';
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorDefinitionOf } from '../errors/catalogue';

const PARSER_CODES: Readonly<Record<string, PublicErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

const WITHOUT_ANSWER: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** Responds to bytes that are not a valid request with an error in our format, then closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (WITHOUT_ANSWER.has(error.code ?? '') || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(rawAnswer(PARSER_CODES[error.code ?? ''] ?? 'malformed-request'));
}

/** A complete HTTP/1.1 response as text, for sockets without a response object. */
function rawAnswer(code: PublicErrorCode): string {
  const { status, type, message } = errorDefinitionOf(code);
  const details = status === 400 ? { details: [{ path: '', code, message }] } : {};
  const body = JSON.stringify({ error: { type, message, code, ...details } });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** Replaces Node's own response to an unknown `Expect` header. */
export function answerExpectations(server: Server): void {
  server.on('checkExpectation', (_request, response) => {
    response.socket?.end(rawAnswer('expectation-failed'));
  });
}
