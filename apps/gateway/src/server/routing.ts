import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, preParsingAsyncHookHandler } from 'fastify';
import type { Logger } from 'pino';
import { jsonBody } from '../bodies/json-body';
import { multipartBody } from '../bodies/multipart-body';
import { readUpload } from '../bodies/upload-body';
import type { ApiError } from '../errors/api-error';
import { answerError } from '../errors/error-answers';
import type { GatewaySettings } from '../gateway.config';
import { secureStaffAnswer, STAFF_PATHS } from '../staff/console/secure-headers';
import { announceDeprecation, V0 } from './deprecation';
import { MAX_BODY_BYTES } from './limits';
import { RouteTable } from './route-table';

/** Installs the body parsers: JSON, and forms on routes that accept one. */
export function takeBodies(app: NestFastifyApplication, server: FastifyInstance): void {
  const parseText = server.getDefaultJsonParser('error', 'error') as Parameters<typeof jsonBody>[0];
  server.removeAllContentTypeParsers();
  app.useBodyParser('application/json', { bodyLimit: MAX_BODY_BYTES }, jsonBody(parseText) as never);
  server.addContentTypeParser('multipart/form-data', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, multipartBody);
}

/**
 * Installs the error handler and the answers to unknown routes and methods. Returns the table of the routes, which
 * fills as they are added.
 */
export function addRouting(
  server: FastifyInstance,
  logger: Logger,
  settings: GatewaySettings,
  now: () => number,
): RouteTable {
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
    // A request without a route has no route hooks.
    if (request.is404) lateHeaders(request.raw.url ?? '/', settings)?.(request, reply);
    answerError(error, request, reply, logger);
  });
  server.setNotFoundHandler((request) => {
    throw routes.missing(request.raw.url ?? '/');
  });
  // A plug-in is loaded after all routes have been added.
  server.register((plugin, _options, done) => {
    complete = true;
    for (const { url, methods } of routes.untaken()) refuseMethods(plugin, routes, url, methods);
    done();
  });
  return routes;
}

/** Refuses the methods of a path that only a wider path accepts. Fastify adds HEAD with GET. */
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

/** Adds headers just before a response is sent, including errors. */
type AddHeaders = (request: FastifyRequest, reply: FastifyReply) => void;

/** The function for responses under this path; undefined if they get no such headers. */
export function lateHeaders(path: string, settings: GatewaySettings): AddHeaders | undefined {
  if (path.startsWith(V0)) return (request, reply) => announceDeprecation(request, reply, settings);
  return STAFF_PATHS.some((start) => path.startsWith(start)) ? secureStaffAnswer : undefined;
}
