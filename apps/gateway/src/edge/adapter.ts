import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastify } from 'fastify';
import { answerClientError } from './client-errors';
import { decodable } from './decodable';

/** Bodies, contract and reliability F7. */
export const MAX_BODY_BYTES = 64 * 1024;
/** A whole request has to arrive within this, its headers sooner: slow senders hold a socket no longer. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** As long as headers may be: a path parameter of any length still meets its route, and so the right refusal. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Nest would put its own error and not-found handlers over ours, which alone know the catalogue. */
class EdgeAdapter extends FastifyAdapter {
  constructor(server: FastifyInstance) {
    // Nest hooks five steps to every request, for middleware, CORS and versions of its own: nothing of it is used, and they are 1 % of a quote.
    const { addHook } = server;
    server.addHook = () => server;
    super(server);
    server.addHook = addHook;
  }

  /** Would register the layer for middleware. */
  override init(): Promise<void> {
    return Promise.resolve();
  }

  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance() as unknown as ReturnType<FastifyAdapter['setErrorHandler']>;
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.getInstance() as unknown as ReturnType<FastifyAdapter['setNotFoundHandler']>;
  }
}

/** Routes have shapes, which the edge judges itself. Fastify's own compilers, unless others are named, are loaded with the server: an eighth of a second. */
const noSchemas = (): never => {
  throw new Error('a route here has a shape, not a schema of Fastify');
};

/**
 * The HTTP server, with limits on everything that a sender could make large or slow. X-Forwarded-For is believed from the
 * trusted proxies (addresses and CIDR blocks) alone.
 */
export function createEdgeAdapter(trustedProxies: readonly string[]): FastifyAdapter {
  const server: FastifyInstance = fastify({
    logger: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    http: { requireHostHeader: false, maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: HEADERS_TIMEOUT_MS },
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      // A path that cannot be decoded names nothing, and goes the way of every other that does: with its credentials, headers and refusal.
      Object.assign(request.raw, { originalUrl: request.raw.url, url: decodable(request.raw.url ?? '/') });
      server.routing(request.raw, reply.raw);
    },
  });
  return new EdgeAdapter(server);
}
