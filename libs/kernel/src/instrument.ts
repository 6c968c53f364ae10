/** Returns the methods that it changes of a port; or undefined to leave the port as it is. */
export type Decorator<P extends object> = (port: P) => Partial<P> | undefined;

/**
 * The port inside decorators such as metrics, traces and throttling. The first is nearest to the port, the last is the
 * first to see a call. What a decorator leaves out goes to the port unchanged. Without a change it is the port itself.
 */
export function instrument<P extends object>(port: P, decorators: readonly (Decorator<P> | undefined)[]): P {
  return decorators.reduce<P>((inner, decorate) => {
    const changes = decorate?.(inner);
    return changes ? Object.assign(forwarding(inner), changes) : inner;
  }, port);
}

/** An object with every member of the port: methods bound to it, and other members read when they are asked for. */
function forwarding<P extends object>(port: P): P {
  const forward = {};
  for (let at: object | null = port; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object | null) {
    for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (name === 'constructor' || name in forward) continue;
      const method: unknown = member.value;
      Object.defineProperty(
        forward,
        name,
        typeof method === 'function'
          ? { value: method.bind(port) as unknown, writable: true, enumerable: true, configurable: true }
          : { get: () => port[name as keyof P], enumerable: true, configurable: true },
      );
    }
  }
  return forward as P;
}

/**
 * A decorator that puts the same code around each of these methods, which return promises. It gets the method's name
 * and the call, not the arguments.
 */
export const around =
  <P extends object>(
    methods: readonly (keyof P & string)[],
    run: (method: string, call: () => Promise<unknown>) => Promise<unknown>,
  ): Decorator<P> =>
  (port) => {
    const wrapped = (method: keyof P & string) => {
      const call = port[method] as (...given: readonly unknown[]) => Promise<unknown>;
      return (...given: readonly unknown[]) => run(method, () => call.apply(port, [...given]));
    };
    return Object.fromEntries(methods.map((method) => [method, wrapped(method)])) as Partial<P>;
  };
