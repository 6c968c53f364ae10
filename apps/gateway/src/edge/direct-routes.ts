import 'reflect-metadata';
import type { INestApplication, Type } from '@nestjs/common';
import {
  GUARDS_METADATA,
  HEADERS_METADATA,
  HTTP_CODE_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  REDIRECT_METADATA,
  RESPONSE_PASSTHROUGH_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';

/** The method of a controller behind a route. */
export interface RouteMethod {
  readonly controller: Type;
  readonly name: string;
}

type Method = (request: FastifyRequest, reply: FastifyReply) => unknown;
type Failed = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;
type Parameters = Readonly<Record<string, { readonly data?: unknown; readonly pipes?: readonly unknown[] }>>;

const REQUEST = `${RouteParamtypes.REQUEST}:0`;
const REPLY = `${RouteParamtypes.RESPONSE}:1`;
/** What Nest would do around the method. Where a route has any of it, Nest keeps the route. */
const AROUND = [GUARDS_METADATA, INTERCEPTORS_METADATA, PIPES_METADATA, REDIRECT_METADATA, HEADERS_METADATA];

/**
 * Calls the methods of the controllers as they are, where they take `@Req()` and perhaps `@Res({ passthrough: true })`
 * and answer JSON, which nearly all do: Nest's way from a route to its method is six promises, 7 % of a quote. What a
 * method throws goes to `failed`, in the place of the controllers' own filter.
 */
export function callDirectly(app: INestApplication, server: FastifyInstance, failed: Failed): void {
  server.addHook('onRoute', (route) => {
    const target = route.config?.method;
    if (!target || !route.config?.policy?.json || !isPlain(target)) return;
    const instance = app.get<Record<string, Method>>(target.controller, { strict: false });
    const method = instance[target.name] as Method;
    route.handler = direct(method.bind(instance), Reflect.getMetadata(HTTP_CODE_METADATA, method) as number, failed);
  });
}

/**
 * Fastify is given no promise to wait for: the answer is sent from here. A method may set another status than its
 * route's.
 */
const direct =
  (method: Method, status: number, failed: Failed): RouteHandlerMethod =>
  (request, reply) => {
    reply.code(status);
    const answered = (body: unknown): void => {
      try {
        reply.send(body);
      } catch (error) {
        failed(error, request, reply);
      }
    };
    Promise.resolve(method(request, reply)).then(answered, (error: unknown) => failed(error, request, reply));
  };

function isPlain({ controller, name }: RouteMethod): boolean {
  const method = (controller.prototype as Record<string, object>)[name] as object;
  if (AROUND.some((key) => Reflect.hasMetadata(key, controller) || Reflect.hasMetadata(key, method))) return false;
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Parameters;
  const passthrough = Reflect.hasMetadata(RESPONSE_PASSTHROUGH_METADATA, controller, name);
  return Object.entries(parameters).every(
    ([place, { data, pipes = [] }]) =>
      data === undefined && pipes.length === 0 && (place === REQUEST || (place === REPLY && passthrough)),
  );
}
