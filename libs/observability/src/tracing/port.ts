import type { Attributes, Tracing } from './tracing';

/**
 * A port to someone outside, with a client span for each call of these methods that is made from a trace. Arguments and
 * answers are not looked at. Each method answers a promise.
 */
export function tracePort<T extends object>(
  port: T,
  name: string,
  methods: readonly (keyof T & string)[],
  attributes: Attributes,
  tracing: Tracing,
): T {
  if (!tracing.on) return port;
  const traced: ReadonlySet<string | symbol> = new Set(methods);
  return new Proxy(port, {
    get(target, member) {
      const found: unknown = Reflect.get(target, member, target);
      if (typeof found !== 'function') return found;
      const call = (found as (...given: unknown[]) => Promise<unknown>).bind(target);
      if (!traced.has(member)) return call;
      const method = String(member);
      return (...given: unknown[]) =>
        tracing.client(`${name} ${method}`, { 'rpc.method': method, ...attributes }, () => call(...given));
    },
  });
}
