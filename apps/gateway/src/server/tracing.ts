import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span, Tracing } from '@ponte/observability';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined if the request is not traced. */
    span?: Span;
  }
}

const SERVER_ERROR = 500;

/**
 * Creates a span for each request to an operation, named by method and route template, because a path contains ids and
 * whatever a caller mistakes for one. A caller's valid `traceparent` is continued; an invalid one is ignored. Must be
 * added before all other hooks, so that refused requests have a span too.
 */
export function traceRequests(server: FastifyInstance, tracing: Tracing): void {
  if (!tracing.on) return;
  server.decorateRequest('span');
  server.addHook('onRequest', (request, _reply, done) => {
    const {
      url,
      config: { policy },
    } = request.routeOptions;
    const { traceparent } = request.headers;
    if (policy) {
      request.span = tracing.begin({
        name: `${request.method} ${url ?? ''}`,
        kind: 'server',
        parent: typeof traceparent === 'string' ? traceparent : undefined,
        foreign: true,
        attributes: {
          'http.request.method': request.method,
          'http.route': url ?? '',
          'ponte.operation': policy.operation,
        },
      });
    }
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    request.span?.set({ 'http.response.status_code': reply.statusCode });
    if (reply.statusCode >= SERVER_ERROR) request.span?.fail(String(reply.statusCode));
    end(request);
    done();
  });
  server.addHook('onRequestAbort', (request, done) => {
    request.span?.fail('aborted');
    end(request);
    done();
  });
}

function end(request: FastifyRequest): void {
  const { span, call } = request;
  request.span = undefined;
  span?.set({
    'ponte.correlation.id': call.id,
    ...(call.caller
      ? { 'ponte.caller.account.id': call.caller.accountId, 'ponte.caller.key.id': call.caller.keyId }
      : {}),
  });
  span?.end();
}
