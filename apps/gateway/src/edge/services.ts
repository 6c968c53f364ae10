import { Inject, Injectable } from '@nestjs/common';
import type { MessageBus, RequestDefinition } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { IDS, MESSAGE_BUS, SYSTEM_CLOCK } from '@ponte/nest';
import type { Call } from './request-context';

/**
 * After this time a request is dropped without being executed, and the caller is informed that a retry with the same
 * key is safe.
 */
export const REQUEST_DEADLINE_MS = 10_000;

/** Sends requests to the services, for a call or for the gateway itself. */
@Injectable()
export class Services {
  constructor(
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
  ) {}

  request<P, R>(
    definition: RequestDefinition<P, R>,
    payload: P,
    call: Call,
    commandId = call.commandId || call.id,
  ): Promise<R> {
    return this.bus.request(definition, payload, {
      commandId,
      correlationId: call.id,
      actor: call.actor,
      deadline: call.deadlineFrom + REQUEST_DEADLINE_MS,
      traceparent: call.traceparent,
    });
  }

  /** As {@link request}, for a response that continues after its request. The deadline counts from now. */
  later<P, R>(definition: RequestDefinition<P, R>, payload: P, call: Call): Promise<R> {
    return this.bus.request(definition, payload, {
      commandId: call.id,
      correlationId: call.id,
      actor: call.actor,
      deadline: this.systemClock.now() + REQUEST_DEADLINE_MS,
      traceparent: call.traceparent,
    });
  }

  /** A request of the gateway itself, without a call. */
  lookUp<P, R>(definition: RequestDefinition<P, R>, payload: P): Promise<R> {
    const id = this.ids.next();
    const deadline = this.systemClock.now() + REQUEST_DEADLINE_MS;
    return this.bus.request(definition, payload, { commandId: id, correlationId: id, actor: 'gateway', deadline });
  }
}
