import { applyDecorators, Controller, HttpCode, RequestMapping, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '@nestjs/swagger';
import { documentation } from './operation-documentation';
import type { OperationSpec } from './operation-spec';
import { policyOf } from './route-policy';

/** A controller whose routes share one tag. */
export const Resource = (path: string, tag: string): ClassDecorator => applyDecorators(Controller(path), ApiTags(tag));

/** Defines a route's operation. Must be above `@Get`, `@Post` and the like, because it reads their method. */
export const Operation =
  ({ v0, ...spec }: OperationSpec): MethodDecorator =>
  (target, name, descriptor: PropertyDescriptor) => {
    describe(spec, target, name, descriptor);
    if (v0) addV0(v0, spec, target, name, descriptor);
  };

function describe(spec: OperationSpec, target: object, name: string | symbol, descriptor: PropertyDescriptor): void {
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, descriptor.value as object) as RequestMethod];
  if (method === undefined) throw new Error(`@Operation of ${spec.id} must be above its method decorator`);
  for (const decorate of [
    RouteConfig({ policy: policyOf(spec, method) }),
    HttpCode(spec.status ?? 200),
    ...documentation(spec, method),
  ]) {
    decorate(target, name, descriptor);
  }
}

/** Adds the v0 route to a controller under `api`: a method with the same parameters that calls the handler. */
function addV0(
  { path, summary }: NonNullable<OperationSpec['v0']>,
  spec: OperationSpec,
  target: object,
  name: string | symbol,
  { value, ...attributes }: PropertyDescriptor,
): void {
  const handler = value as (...parameters: unknown[]) => unknown;
  const nameInV0 = `${String(name)}V0`;
  const descriptor: PropertyDescriptor = {
    ...attributes,
    value(this: unknown, ...parameters: unknown[]) {
      return handler.apply(this, parameters);
    },
  };
  Object.defineProperty(target, nameInV0, descriptor);
  const parameters: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, name);
  Reflect.defineMetadata(ROUTE_ARGS_METADATA, parameters, target.constructor, nameInV0);
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  RequestMapping({ path, method })(target, nameInV0, descriptor);
  const successor = `/api/${String(Reflect.getMetadata(PATH_METADATA, handler))}`;
  describe(
    { ...spec, operation: spec.operation ?? spec.id, id: `${spec.id}-v0`, summary, reach: 'own', successor },
    target,
    nameInV0,
    descriptor,
  );
}
