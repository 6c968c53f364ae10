import 'reflect-metadata';
import type { Provider, Type } from '@nestjs/common';
import { applyDecorators, Controller, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { IEventHandler } from '@nestjs/cqrs';
import { Payload } from '@nestjs/microservices';
import type { EventClass, Recorded } from '@ponte/event-sourcing';
import { upcaster } from '@ponte/event-sourcing';
import { Consumes } from './messages';

const HandledEvents = Reflector.createDecorator<readonly EventClass[]>();

/**
 * Marks a class that handles these events. {@link Policies} runs it, while the event bus of `@nestjs/cqrs` would run a
 * class with `@EventsHandler`.
 */
export const Policy = (...events: readonly EventClass[]): ClassDecorator =>
  applyDecorators(Injectable(), HandledEvents(events));

/**
 * Runs the `@Policy` classes of one service one after the other for each event, waits for them, and lets their errors
 * through. The event bus of `@nestjs/cqrs` does none of these, so it is not used.
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

const reflector = new Reflector();
const handledBy = (policy: Type<IEventHandler<Recorded>>): readonly EventClass[] => {
  const classes = reflector.get(HandledEvents, policy);
  if (!classes) throw new Error(`${policy.name} has no @Policy`);
  return classes;
};

/** The event types that the policies handle. */
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

/**
 * Makes the controller that passes the events of `services` to the `policies` of the service `group`, and only those of
 * the types that they handle.
 */
export function policiesController(
  services: readonly string[],
  group: string,
  policies: readonly Type<IEventHandler<Recorded>>[],
): Type {
  @Controller()
  class PolicyEvents {
    constructor(@Inject(policiesOf(group)) private readonly policies: Policies) {}

    @Consumes(services, group, typesHandledBy(policies))
    onEvent(@Payload() event: Recorded): Promise<void> {
      return this.policies.dispatch(event);
    }
  }
  return PolicyEvents;
}
