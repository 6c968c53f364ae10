/** Returns replacements for some of a port's methods, or undefined to leave the port unchanged. */
export type Decorator<P extends object> = (port: P) => Partial<P> | undefined;

/**
 * Wraps a port in decorators such as metrics, traces and throttling. The first decorator is the innermost and the last
 * the outermost. Methods that a decorator does not replace are forwarded unchanged. Without any replacement, returns
 * the port itself.
 */
export function instrument<P extends object>(port: P, decorators: readonly (Decorator<P> | undefined)[]): P {
  return decorators.reduce<P>((inner, decorate) => {
    const changes = decorate?.(inner);
    return changes ? Object.assign(forwarding(inner), changes) : inner;
  }, port);
}

/** An object that forwards to every member of the port. Members are looked up when they are used. */
function forwarding<P extends object>(port: P): P {
  const forward = {};
  const members = port as Readonly<Record<string, unknown>>;
  for (let at: object | null = port; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object | null) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (name === 'constructor' || name in forward) continue;
      const call = (...given: readonly unknown[]): unknown =>
        (members[name] as (...given: readonly unknown[]) => unknown).call(port, ...given);
      Object.defineProperty(
        forward,
        name,
        typeof value === 'function'
          ? { value: call, writable: true, enumerable: true, configurable: true }
          : { get: () => members[name], enumerable: true, configurable: true },
      );
    }
  }
  return forward as P;
}

/**
 * A decorator that runs `run` around each of these methods, which must return promises. `run` gets the method's name
 * and the call, but not the arguments.
 */
export const around =
  <P extends object>(
    methods: readonly (keyof P & string)[],
    run: (method: string, call: () => Promise<unknown>) => Promise<unknown>,
  ): Decorator<P> =>
  (port) => {
    const wrapped = (method: keyof P & string) => {
      const call = (given: readonly unknown[]): Promise<unknown> =>
        (port[method] as (...given: readonly unknown[]) => Promise<unknown>).call(port, ...given);
      return (...given: readonly unknown[]) => run(method, () => call(given));
    };
    return Object.fromEntries(methods.map((method) => [method, wrapped(method)])) as Partial<P>;
  };
