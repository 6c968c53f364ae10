import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { CustomTransportStrategy, MessageHandler } from '@nestjs/microservices';
import { Server, EventPattern } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';

/** Adapts a `MessageBus` to Nest, so that controllers can use `@MessagePattern` and `@Consumes` with any bus. */
export class BusTransport extends Server implements CustomTransportStrategy {
  constructor(private readonly bus: MessageBus) {
    super();
  }

  /** Throws if the pattern has a handler already: Nest would let the second handler replace the first. */
  override addHandler(...parameters: Parameters<Server['addHandler']>): void {
    const [pattern] = parameters;
    if (this.messageHandlers.has(this.normalizePattern(pattern)))
      throw new Error(`${String(pattern)} has two handlers`);
    super.addHandler(...parameters);
  }

  listen(done: (error?: unknown) => void): void {
    for (const [pattern, handler] of this.messageHandlers) {
      if (!handler.isEventHandler) {
        this.bus.handle(pattern, (payload, context) => call(handler, payload, context));
        continue;
      }
      const consumed = consumption(pattern);
      if (!consumed) throw new Error(`pattern ${pattern} was not made by @Consumes`);
      this.bus.consume({ ...consumed, consume: async (event) => void (await call(handler, event)) });
    }
    this.bus.start().then(() => done(), done);
  }

  async close(): Promise<void> {
    await this.bus.stop();
  }

  on(): void {
    /* The bus reports its own faults; nothing listens to Nest's status events. */
  }
  unwrap<T>(): T {
    return this.bus as T;
  }
}

/** Nest returns an observable if interceptors or filters were involved, and the plain value otherwise. */
async function call(handler: MessageHandler, payload: unknown, context?: RequestContext): Promise<unknown> {
  const result: unknown = await handler(payload, context);
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}

const SEPARATOR = ' -> ';
const TYPES = ' : ';

/**
 * Declares a handler for the events of `services`, for the consumer group `group`; one handler per service and group.
 * With `types`, only events of these types are passed to it; `typesHandledBy` returns the types that policies need.
 */
export const Consumes = (services: readonly string[], group: string, types?: readonly string[]): MethodDecorator =>
  EventPattern(
    services.map((service) => `${service}.events${SEPARATOR}${group}${types ? TYPES + types.join(',') : ''}`),
  );

/** Parses the pattern that {@link Consumes} writes; undefined for any other pattern. */
export function consumption(
  pattern: string,
): { service: string; group: string; types?: readonly string[] } | undefined {
  const [events, consumer] = pattern.split(SEPARATOR);
  const [group, types] = consumer?.split(TYPES) ?? [];
  if (!events?.endsWith('.events') || !group) return undefined;
  return {
    service: events.slice(0, -'.events'.length),
    group,
    ...(types === undefined ? {} : { types: types.split(',') }),
  };
}
