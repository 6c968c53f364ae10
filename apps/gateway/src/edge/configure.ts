import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  onSendHookHandler,
  preParsingAsyncHookHandler,
} from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import type { ManagementDocuments, Tracing } from '@ponte/observability';
import { LOGGER, MANAGEMENT_DOCUMENTS, SYSTEM_CLOCK, TIMERS, TRACING } from '@ponte/nest';
import type { GatewaySettings } from '../gateway.config';
import type { QuoteSigner } from '../api/quotes/quote-signer';
import type { ApiError } from '../errors/api-error';
import { answerError } from '../errors/error-answers';
import { Idempotency } from '../idempotency/idempotency';
import { createDocument } from '../openapi/document';
import { createStaffDocument } from '../openapi/staff-document';
import { GATEWAY_SETTINGS, QUOTE_SIGNER } from '../gateway-tokens.port';
import { NamedAllowance } from '../rate-limit/named-allowance';
import { addStaffReference } from '../docs-pages/staff-reference';
import { serveConsole } from '../staff/console-files';
import { secureStaffAnswer, STAFF_PATHS } from '../staff/secure-headers';
import { CONNECTION_GUARD, MAX_BODY_BYTES } from './adapter';
import { announceDeprecation, V0 } from './deprecation';
import { answerExpectations } from './client-errors';
import type { Reach } from './request-context';
import { Health } from './health';
import { jsonBody } from '../bodies/json-body';
import { Metrics } from './metrics';
import { multipartBody } from '../bodies/multipart-body';
import { Pipeline } from './pipeline';
import { servePlainRoutes } from './plain-routes';
import { RouteTable } from './route-table';
import { traceRequests } from './tracing';
import { readUpload } from '../bodies/upload-body';

/** Modules with routes, by whose document shows them. */
export interface RoutesFor {
  readonly partners: readonly (new () => unknown)[];
  readonly staff: readonly (new () => unknown)[];
}

/**
 * Puts the edge on an application's server. Called once by the process root, between `NestFactory.create` and `init` or
 * `listen`. Everything is a Fastify hook: Nest's interceptors and middleware would cost a third of the throughput.
 */
export function configureEdge(app: NestFastifyApplication, { partners, staff }: RoutesFor): void {
  const server = app.getHttpAdapter().getInstance();
  const logger = app.get<Logger>(LOGGER);
  const metrics = app.get(Metrics);
  const settings = app.get<GatewaySettings>(GATEWAY_SETTINGS);
  takeBodies(app, server);
  const clock = app.get<Clock>(SYSTEM_CLOCK);
  const routes = addRouting(server, logger, settings, () => clock.now());
  metrics.expect('none');
  server.addHook('onRoute', ({ config }) => {
    if (config?.policy) metrics.expect(config.policy.operation);
  });
  traceRequests(server, app.get<Tracing>(TRACING));
  const allowances = app.get(NamedAllowance);
  server.addHook('onSend', (request, reply, payload, done) => {
    if (!allowances.concerns(request, reply)) return done(null, payload);
    void allowances.show(request, reply).then(() => done(null, payload));
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

/** JSON, and forms where a route has one. */
function takeBodies(app: NestFastifyApplication, server: FastifyInstance): void {
  const parseText = server.getDefaultJsonParser('error', 'error') as Parameters<typeof jsonBody>[0];
  server.removeAllContentTypeParsers();
  app.useBodyParser('application/json', { bodyLimit: MAX_BODY_BYTES }, jsonBody(parseText) as never);
  server.addContentTypeParser('multipart/form-data', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, multipartBody);
}

function addRouting(server: FastifyInstance, logger: Logger, settings: GatewaySettings, now: () => number): RouteTable {
  const routes = new RouteTable();
  let complete = false;
  server.addHook('onRoute', (route) => {
    if (!complete) routes.add(route);
    const limit = route.config?.policy?.bodyLimit ?? null;
    if (limit === null) return;
    route.bodyLimit = limit;
    const preParsing: preParsingAsyncHookHandler = (request, _reply, payload) => readUpload(request, payload, now);
    route.preParsing = [route.preParsing ?? [], preParsing].flat() as typeof route.preParsing;
  });
  server.setErrorHandler((error, request, reply) => {
    // What is no route has no hook of its own.
    if (request.is404) addHeaders(request, reply, settings);
    answerError(error, request, reply, logger);
  });
  server.setNotFoundHandler((request) => {
    throw routes.missing(request.raw.url ?? '/');
  });
  // A plug-in is loaded when all routes are there.
  server.register((plugin, _options, done) => {
    complete = true;
    for (const { url, methods } of routes.untaken()) refuseMethods(plugin, routes, url, methods);
    done();
  });
  return routes;
}

/** Methods of a path that only a wider path would take. A HEAD comes with its GET. */
function refuseMethods(server: FastifyInstance, routes: RouteTable, url: string, methods: readonly string[]): void {
  const missing = (): ApiError => routes.missing(url);
  server.route({
    url,
    method: methods.filter((method) => method !== 'HEAD' || !methods.includes('GET')) as HTTPMethods[],
    onRequest: (_request, _reply, done) => done(missing()),
    handler: () => {
      throw missing();
    },
  });
}

/** Where answers get headers at the last moment. */
const FINISHED = [V0, ...STAFF_PATHS];

function addHeaders(request: FastifyRequest, reply: FastifyReply, settings: GatewaySettings): void {
  announceDeprecation(request, reply, settings);
  secureStaffAnswer(request, reply);
}

interface HookParts {
  readonly pipeline: Pipeline;
  readonly idempotency: Idempotency;
  readonly settings: GatewaySettings;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly routes: RouteTable;
}

function addHooks(
  server: FastifyInstance,
  { pipeline, idempotency, settings, metrics, logger, routes }: HookParts,
): void {
  server.decorateRequest('call');
  // A request without a route is refused before its body is read.
  server.addHook('onRequest', async (request, reply) => {
    await pipeline.enter(request, reply);
    if (request.call.policy === null && request.is404) throw routes.missing(request.raw.url ?? '/');
  });
  server.addHook('preHandler', async (request, reply) => {
    // Fastify calls no handler when a hook has sent the response and returns the reply.
    if (await pipeline.judge(request, reply)) return reply;
  });
  const finish: onSendHookHandler = (request, reply, payload, done) => {
    addHeaders(request, reply, settings);
    if (!request.call.held) {
      giveSlotBack(request);
      return done(null, payload);
    }
    void idempotency
      .end(request.call, reply, payload)
      .then(() => done(null, payload))
      .finally(() => giveSlotBack(request));
  };
  // A hook for every answer would cost those that need none as much: 1 % of a quote.
  server.addHook('onRoute', (route) => {
    const { policy } = route.config ?? {};
    if (
      policy?.keyed ||
      (policy && SLOT_REACHES.has(policy.reach)) ||
      FINISHED.some((start) => route.url.startsWith(start))
    )
      route.onSend = [route.onSend ?? [], finish].flat();
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

/** Whose requests take a slot of {@link Admission}. */
const SLOT_REACHES: ReadonlySet<Reach> = new Set(['own', 'account']);

function giveSlotBack(request: FastifyRequest): void {
  const { call } = request;
  call.leave?.();
  call.leave = null;
  if (!call.upload) return;
  // A response may wait behind another one of its connection, and would keep the file in memory.
  call.rawBody = null;
  request.body = undefined;
  call.upload.release();
}
