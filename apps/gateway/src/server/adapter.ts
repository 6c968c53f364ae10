import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastify } from 'fastify';
import { blockListOf } from '../authorization/ip-allowlist';
import { answerClientError } from './client-errors';
import { decodable } from '../bodies/decodable';
import { ConnectionGuard } from '../load-shedding/connection-guard';
import type { EdgeTimeouts } from './limits';
import { EDGE_TIMEOUTS, MAX_BODY_BYTES } from './limits';

/** An idle connection is kept for the next request for this long, as Fastify does. */
const KEEP_ALIVE_MS = 72_000;
/** As long as headers may be: a path parameter of any length still meets its route, and so the right refusal. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Nest would put its own error and not-found handlers over ours, which alone know the catalogue. */
class EdgeAdapter extends FastifyAdapter {
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance() as unknown as ReturnType<FastifyAdapter['setErrorHandler']>;
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.getInstance() as unknown as ReturnType<FastifyAdapter['setNotFoundHandler']>;
  }
}

/**
 * Routes have shapes, which the edge judges itself. Fastify's own compilers, unless others are named, are loaded with
 * the server: an eighth of a second.
 */
const noSchemas = (): never => {
  throw new Error('a route must not have a Fastify schema');
};

/**
 * The HTTP server, with limits on everything that a sender could make large or slow. X-Forwarded-For is believed from
 * the trusted proxies (addresses and CIDR blocks) alone.
 */
export function createEdgeAdapter(
  trustedProxies: readonly string[],
  timeouts: EdgeTimeouts = EDGE_TIMEOUTS,
): FastifyAdapter {
  const proxies = blockListOf(trustedProxies);
  const guard = new ConnectionGuard(timeouts, (address) => proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'));
  const server: FastifyInstance = fastify({
    logger: false,
    serverFactory: (handle) => guardedServer(handle, guard, timeouts),
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      // A path that cannot be decoded names nothing, and goes the way of every other that does: with its credentials,
      // headers and refusal.
      Object.assign(request.raw, { originalUrl: request.raw.url, url: decodable(request.raw.url ?? '/') });
      server.routing(request.raw, reply.raw);
    },
  });
  server.decorate(CONNECTION_GUARD, guard);
  return new EdgeAdapter(server);
}

/** Under this name the server has its {@link ConnectionGuard}. */
export const CONNECTION_GUARD = 'connectionGuard';

declare module 'fastify' {
  interface FastifyInstance {
    [CONNECTION_GUARD]: ConnectionGuard;
  }
}

function guardedServer(
  handle: RequestListener,
  guard: ConnectionGuard,
  { headersMs, requestMs, lateEveryMs }: EdgeTimeouts,
): Server {
  const server = createServer(
    {
      requireHostHeader: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: lateEveryMs,
    },
    guard.listener(handle),
  );
  guard.watch(server);
  return server;
}
