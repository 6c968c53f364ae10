import type { Decorator } from '@ponte/kernel';
import { around } from '@ponte/kernel';
import type { Attributes, Tracing } from './tracing';

/**
 * Creates a client span for each call of these methods of an external service within a trace. Arguments and results are
 * not recorded. Each method must return a promise.
 */
export const portTraces =
  <T extends object>(
    name: string,
    methods: readonly (keyof T & string)[],
    attributes: Attributes,
    tracing: Tracing,
  ): Decorator<T> =>
  (port) => {
    if (!tracing.on) return undefined;
    return around<T>(methods, (method, call) =>
      tracing.client(`${name} ${method}`, { 'rpc.method': method, ...attributes }, call),
    )(port);
  };
