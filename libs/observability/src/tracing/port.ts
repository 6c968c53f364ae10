import type { Decorator } from '@ponte/kernel';
import { around } from '@ponte/kernel';
import type { Attributes, Tracing } from './tracing';

/**
 * A client span for each call of these methods of an outside service that is made from a trace. Arguments and answers
 * are not looked at. Each method returns a promise.
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
