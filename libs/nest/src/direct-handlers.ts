import 'reflect-metadata';
import type { ModulesContainer } from '@nestjs/core';
import { GUARDS_METADATA, INTERCEPTORS_METADATA, PIPES_METADATA } from '@nestjs/common/constants';
import { MetadataScanner } from '@nestjs/core';
import { PARAM_ARGS_METADATA, PATTERN_METADATA } from '@nestjs/microservices/constants';
import { RpcParamtype } from '@nestjs/microservices/enums/rpc-paramtype.enum';

/** A handler of messages called as the method that it is. */
export type DirectHandler = (payload: unknown, context: unknown) => unknown;

/** What the parameters of a handler may be, in this order. */
const PARAMETERS = [`${RpcParamtype.PAYLOAD}:0`, `${RpcParamtype.CONTEXT}:1`];

/**
 * The methods behind the patterns of an application, without the layer that Nest puts before them. We use none of its
 * pipes, guards and interceptors for messages, and it costs a request 3 to 6 µs and three promises.
 */
export function directHandlers(modules: ModulesContainer): Map<string, DirectHandler> {
  const found = new Map<string, DirectHandler>();
  const scanner = new MetadataScanner();
  for (const { controllers } of modules.values()) {
    for (const { instance } of controllers.values()) {
      const methods = instance as Record<string, DirectHandler>;
      const prototype = Object.getPrototypeOf(methods) as object;
      for (const name of scanner.getAllMethodNames(prototype)) {
        const method = methods[name] as DirectHandler;
        const patterns = (Reflect.getMetadata(PATTERN_METADATA, method) ?? []) as readonly string[];
        if (patterns.length === 0) continue;
        assertPlain(prototype.constructor, name, method);
        for (const pattern of patterns) {
          if (found.has(pattern)) throw new Error(`${pattern} is handled twice`);
          found.set(pattern, method.bind(methods));
        }
      }
    }
  }
  return found;
}

/**
 * A handler whose parameters stand in another order would get the wrong ones, and what Nest would run before it would
 * not run.
 */
function assertPlain(controller: object, name: string, method: DirectHandler): void {
  const before = [GUARDS_METADATA, INTERCEPTORS_METADATA, PIPES_METADATA].filter(
    (key) => Reflect.hasMetadata(key, controller) || Reflect.hasMetadata(key, method),
  );
  if (before.length > 0)
    throw new Error(`${name}: handlers of messages have no guards, interceptors or pipes; put it around the bus`);
  const given = (Reflect.getMetadata(PARAM_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    { readonly data?: unknown; readonly pipes?: readonly unknown[] }
  >;
  for (const [place, { data, pipes = [] }] of Object.entries(given)) {
    if (!PARAMETERS.includes(place) || data !== undefined || pipes.length > 0)
      throw new Error(`${name}: a handler of messages takes @Payload() and then @Ctx(), as they are`);
  }
}
