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
import { drain } from './drain';
import type { EdgeTimeouts } from './limits';
import { EDGE_TIMEOUTS, MAX_BODY_BYTES } from './limits';

/** How long an idle connection is kept, in milliseconds; Fastify's default. */
const KEEP_ALIVE_MS = 72_000;
/** The limit for headers. A path parameter may be as long, so that its route still answers with the right error. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Prevents Nest from replacing our error and not-found handlers, which use the error catalogue. */
class EdgeAdapter extends FastifyAdapter {
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance() as unknown as ReturnType<FastifyAdapter['setErrorHandler']>;
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.getInstance() as unknown as ReturnType<FastifyAdapter['setNotFoundHandler']>;
  }
}

/**
 * The gateway validates requests itself. Without this, Fastify would load its own compilers with the server, which
 * takes an eighth of a second.
 */
const noSchemas = (): never => {
  throw new Error('a route must not have a Fastify schema');
};

/**
 * Creates the HTTP server, with limits on everything that a sender could make large or slow. X-Forwarded-For is
 * accepted only from the trusted proxies (addresses and CIDR blocks).
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
      // A path that cannot be decoded is treated like any other unknown path, with the same checks and the same error.
      Object.assign(request.raw, { originalUrl: request.raw.url, url: decodable(request.raw.url ?? '/') });
      server.routing(request.raw, reply.raw);
    },
  });
  server.decorate(CONNECTION_GUARD, guard);
  server.addHook('preClose', async () => drain(server.server, guard, timeouts.requestMs));
  return new EdgeAdapter(server);
}

/** The decorator name of the server's {@link ConnectionGuard}. */
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
