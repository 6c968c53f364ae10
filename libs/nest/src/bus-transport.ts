import type { MessageBus, RequestContext, EventClass, Recorded } from '@ponte/event-sourcing';
import { upcaster } from '@ponte/event-sourcing';
import type { CustomTransportStrategy, MessageHandler } from '@nestjs/microservices';
import { Server, EventPattern } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import 'reflect-metadata';
import type { Provider, Type } from '@nestjs/common';
import type { IEventHandler } from '@nestjs/cqrs';
import { EVENTS_HANDLER_METADATA } from '@nestjs/cqrs/dist/decorators/constants';

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

/**
 * Runs the `@EventsHandler` classes of one service one after the other for each event, waits for them, and lets their
 * errors through. The event bus of `@nestjs/cqrs` does none of these, so it is not used.
 */
export class Policies {
  private readonly handlers = new Map<string, IEventHandler<Recorded>[]>();
  private readonly current: ReturnType<typeof upcaster>;

  constructor(policies: readonly IEventHandler<Recorded>[]) {
    const classes = new Set<EventClass>();
    for (const policy of policies) {
      for (const one of handledBy(policy.constructor as Type<IEventHandler<Recorded>>)) {
        classes.add(one);
        this.handlers.set(one.type, [...(this.handlers.get(one.type) ?? []), policy]);
      }
    }
    this.current = upcaster([...classes]);
  }

  /** Returns at once for an event that no policy of the service handles. */
  async dispatch(event: Recorded): Promise<void> {
    const handlers = this.handlers.get(event.type);
    if (!handlers) return;
    const current = this.current(event);
    for (const handler of handlers) await handler.handle(current);
  }
}

const handledBy = (policy: Type<IEventHandler<Recorded>>): EventClass[] => {
  const classes = Reflect.getMetadata(EVENTS_HANDLER_METADATA, policy) as EventClass[] | undefined;
  if (!classes) throw new Error(`${policy.name} has no @EventsHandler`);
  return classes;
};

/** The event types that the policies handle, for `@Consumes`. */
export const typesHandledBy = (policies: readonly Type<IEventHandler<Recorded>>[]): string[] => [
  ...new Set(policies.flatMap(handledBy).map((one) => one.type)),
];

/** The injection token of a service's policies. */
export const policiesOf = (service: string): string => `policies:${service}`;

/** Provides the classes, and the {@link Policies} that run them in the given order. */
export const providePolicies = (service: string, policies: readonly Type<IEventHandler<Recorded>>[]): Provider[] => [
  ...policies,
  {
    provide: policiesOf(service),
    useFactory: (...instances: IEventHandler<Recorded>[]) => new Policies(instances),
    inject: [...policies],
  },
];

const SEPARATOR = ' -> ';
const TYPES = ' : ';

/**
 * Declares a handler for the events of `service`, for the consumer group `group`; one handler per pair. With `types`,
 * only events of these types are passed to it; {@link typesHandledBy} returns the types that policies need.
 */
export const Consumes = (service: string, group: string, types?: readonly string[]): MethodDecorator =>
  EventPattern(`${service}.events${SEPARATOR}${group}${types ? TYPES + types.join(',') : ''}`);

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
