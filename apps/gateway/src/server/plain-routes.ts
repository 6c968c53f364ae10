import type { FastifyInstance } from 'fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { partnerAsyncApiDocument } from '@ponte/contracts';
import { ApiError } from '../errors/api-error';
import { serveDocs } from '../docs-pages/docs-page';
import type { Health } from './health.service';
import { sendInPieces } from '../bodies/in-pieces';

interface PlainParts {
  readonly health: Health;
  readonly document: () => OpenAPIObject;
  /** Ponte's public keys as a JWK set (RFC 7517). */
  readonly jwks: object;
}

/**
 * Serves the routes outside the API, without credentials: the documents for partners and health. Metrics and the
 * document of the staff API are on the management port.
 */
export function servePlainRoutes(server: FastifyInstance, { health, document, jwks }: PlainParts): void {
  serveDocument(server, '/openapi.json', document);
  serveDocument(server, '/asyncapi.json', partnerAsyncApiDocument);
  serveDocs(server);
  server.get(
    '/.well-known/jwks.json',
    (_request, reply) => void reply.type('application/jwk-set+json').send(JSON.stringify(jwks)),
  );
  server.get('/healthz', (_request, reply) => void reply.send({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const reason = await health.notReadyReason();
    if (reason !== undefined) throw new ApiError('service-unavailable', { message: reason });
    return reply.send({ status: 'ready' });
  });
}

/** Creates the document at the first request, because most processes never need it. */
function serveDocument(server: FastifyInstance, path: string, document: () => object): void {
  // Bytes rather than a string, which would be copied for each caller that reads slowly.
  let written: Buffer | undefined;
  server.get(path, (_request, reply) => {
    written ??= Buffer.from(JSON.stringify(document()));
    void sendInPieces(reply.type('application/json; charset=utf-8'), written);
  });
}
