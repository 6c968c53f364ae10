import { Inject, Injectable } from '@nestjs/common';
import type { MessageBus, RequestDefinition } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { IDS, MESSAGE_BUS, SYSTEM_CLOCK } from '@ponte/nest';
import { REQUEST_DEADLINE_MS } from './services';

/** The services behind the edge, asked by the edge for itself. */
@Injectable()
export class Lookups {
  constructor(
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
  ) {}

  request<P, R>(definition: RequestDefinition<P, R>, payload: P): Promise<R> {
    const id = this.ids.next();
    const deadline = this.systemClock.now() + REQUEST_DEADLINE_MS;
    return this.bus.request(definition, payload, { commandId: id, correlationId: id, actor: 'gateway', deadline });
  }
}
