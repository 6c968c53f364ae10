import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest, onSendHookHandler, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import type { ManagementDocuments, Tracing, Metrics } from '@ponte/observability';
import { LOGGER, MANAGEMENT_DOCUMENTS, SYSTEM_CLOCK, TIMERS, TRACING, METRICS } from '@ponte/nest';
import type { GatewaySettings } from '../gateway.config';
import type { QuoteSigner } from '../api/quotes/quote-signer';
import { Idempotency } from '../idempotency/idempotency.service';
import { createDocument } from '../openapi/document';
import { createStaffDocument } from '../openapi/staff-document';
import { GATEWAY_SETTINGS, QUOTE_SIGNER } from '../gateway-tokens.port';
import { RateLimiter } from '../rate-limit/rate-limiter.service';
import { addStaffReference } from '../docs-pages/staff-reference';
import { serveConsole } from '../staff/console/console-files';
import { CONNECTION_GUARD } from './edge-server';
import { answerExpectations } from './client-errors';
import type { Reach } from '../edge/route-policy';
import { Health } from './health.service';
import { Pipeline } from '../edge/pipeline.service';
import { servePlainRoutes } from './plain-routes';
import type { RouteTable } from './route-table';
import { addRouting, lateHeaders, takeBodies } from './routing';
import { traceRequests } from './tracing';
import type { CutReason } from '../load-shedding/connection-guard';

/** The modules with routes, by the document that they appear in. */
interface RoutesFor {
  readonly partners: readonly (new () => unknown)[];
  readonly staff: readonly (new () => unknown)[];
}

/**
 * Installs the gateway's hooks on an application's server. The process root calls it once, between `NestFactory.create`
 * and `init` or `listen`. All are Fastify hooks: Nest's interceptors and middleware would cost a third of the
 * throughput.
 */
export function configureEdge(app: NestFastifyApplication, { partners, staff }: RoutesFor): void {
  const server = app.getHttpAdapter().getInstance();
  const logger = app.get<Logger>(LOGGER);
  const metrics = new RequestMetrics(app.get<Metrics>(METRICS));
  const settings = app.get<GatewaySettings>(GATEWAY_SETTINGS);
  takeBodies(app, server);
  const clock = app.get<Clock>(SYSTEM_CLOCK);
  const routes = addRouting(server, logger, settings, () => clock.now());
  metrics.expect('none');
  server.addHook('onRoute', ({ config }) => {
    if (config?.policy) metrics.expect(config.policy.operation);
  });
  traceRequests(server, app.get<Tracing>(TRACING));
  const rateLimiter = app.get(RateLimiter);
  server.addHook('onSend', (request, reply, payload, done) => {
    if (!rateLimiter.isMissing(request, reply)) return done(null, payload);
    void rateLimiter.showNamed(request, reply).then(() => done(null, payload));
  });
  addHooks(server, {
    pipeline: app.get(Pipeline),
    idempotency: app.get(Idempotency),
    settings,
    metrics,
    logger,
    routes,
  });
  const { jwks } = app.get<QuoteSigner>(QUOTE_SIGNER);
  servePlainRoutes(server, { health: app.get(Health), document: () => createDocument(app, partners), jwks });
  let staffDocument: string | undefined;
  addStaffReference(
    app.get<ManagementDocuments>(MANAGEMENT_DOCUMENTS),
    () => (staffDocument ??= JSON.stringify(createStaffDocument(app, [...partners, ...staff]))),
  );
  serveConsole(server);
  answerExpectations(server.server);
  const guard = server[CONNECTION_GUARD];
  guard.onCut = (reason) => metrics.cut(reason);
  app.get<Timers>(TIMERS).every('connections', guard.limits.checkEveryMs, async () => guard.check());
}

interface HookParts {
  readonly pipeline: Pipeline;
  readonly idempotency: Idempotency;
  readonly settings: GatewaySettings;
  readonly metrics: RequestMetrics;
  readonly logger: Logger;
  readonly routes: RouteTable;
}

function addHooks(
  server: FastifyInstance,
  { pipeline, idempotency, settings, metrics, logger, routes }: HookParts,
): void {
  server.decorateRequest('call');
  server.addHook('onRequest', (request, reply) => pipeline.enter(request, reply));
  // A request without a route is refused before its body is read.
  server.addHook('onRequest', ({ call, is404, raw }, _reply, done) =>
    done(call.policy === null && is404 ? routes.missing(raw.url ?? '/') : undefined),
  );
  // Fastify does not call the handler if a hook has sent the response and returns the reply.
  server.addHook('preHandler', (request, reply) => pipeline.check(request, reply));
  const finish: onSendHookHandler = (request, reply, payload, done) => {
    if (!request.call.held) {
      releaseSlot(request);
      return done(null, payload);
    }
    void idempotency
      .end(request.call, reply, payload)
      .then(() => done(null, payload))
      .finally(() => releaseSlot(request));
  };
  // Added per route: a global hook would cost 1 % of a quote even on routes that do not need it.
  server.addHook('onRoute', (route) => {
    const { policy } = route.config ?? {};
    const addHeaders = lateHeaders(route.url, settings);
    const headed: onSendHookHandler = (request, reply, payload, done) => {
      addHeaders?.(request, reply);
      done(null, payload);
    };
    const hooks = [
      ...(addHeaders ? [headed] : []),
      ...(policy && (policy.keyed || SLOT_REACHES.has(policy.reach)) ? [finish] : []),
    ];
    if (hooks.length > 0) route.onSend = [route.onSend ?? [], hooks].flat();
  });
  server.addHook('onResponse', (request, reply, done) => {
    metrics.count(request, reply);
    const { call } = request;
    if (logger.isLevelEnabled('debug'))
      logger.debug(
        { ...call.logged, operation: call.policy?.operation, status: reply.statusCode, ms: reply.elapsedTime },
        'answered',
      );
    done();
  });
}

/** The reaches whose requests take a slot of {@link Admission}. */
const SLOT_REACHES: ReadonlySet<Reach> = new Set(['own', 'account']);

function releaseSlot(request: FastifyRequest): void {
  const { call } = request;
  call.leave?.();
  call.leave = null;
  if (!call.upload) return;
  // Release the file now, because the response may have to wait behind another one on its connection.
  call.rawBody = null;
  request.body = undefined;
  call.upload.release();
}

interface Series {
  readonly duration: { observe(seconds: number): void };
  readonly requests: { inc(): void };
}

/** The metrics of requests, by operation and never by path, because a path contains ids. */
class RequestMetrics {
  private readonly known = new Map<string, Series>();

  constructor(private readonly metrics: Metrics) {}

  count(request: FastifyRequest, reply: FastifyReply): void {
    const operation = request.call.policy?.operation ?? 'none';
    const { duration, requests } = this.series(operation, reply.statusCode);
    duration.observe(reply.elapsedTime / 1000);
    requests.inc();
  }

  cut(reason: CutReason): void {
    this.metrics.counter('ponte_gateway_connections_cut_total', { reason }).inc();
  }

  /** Creates the series of an operation before its first request, because alerts and dashboards need them at zero. */
  expect(operation: string): void {
    for (const status of [200, 500, 503]) this.series(operation, status);
  }

  /** Caches series, because finding one by its labels costs more than counting in it. */
  private series(operation: string, status: number): Series {
    const name = operation + String(status);
    const known = this.known.get(name);
    if (known) return known;
    const found = {
      duration: this.metrics.histogram('ponte_gateway_request_seconds', { operation }),
      requests: this.metrics.counter('ponte_gateway_requests_total', { operation, status: String(status) }),
    };
    this.known.set(name, found);
    return found;
  }
}
