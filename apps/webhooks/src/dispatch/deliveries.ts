import { Inject, Injectable } from '@nestjs/common';
import { pause } from '@ponte/concurrency';
import type { DeliveryEvent } from '@ponte/contracts';
import { Aggregates } from '@ponte/event-sourcing';
import type { Outcome, RequestContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId, isoTime } from '@ponte/kernel';
import type { Delivery, DeliveryCommand } from '../deliveries/delivery.state';
import { deliveryDecider } from '../deliveries/delivery.decider';
import { JournaledStore } from '../journal/journaled-store';
import { CLOCK } from '@ponte/nest';
import { hasEnded } from '../deliveries/delivery.state';

/** A delivery by the ids that it takes to find it, its endpoint and the delivery before it. */
export interface Task {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly after: string | null;
}

type DeliveryOrigin = Pick<RequestContext, 'correlationId' | 'causationId' | 'actor' | 'traceparent'>;

/** One envelope for one endpoint is one delivery, for ever. */
export const deliveryIdOf = (publishedEventId: string, endpointId: string): string =>
  derivedId('delivery', publishedEventId, endpointId);

/** Delivery streams kept in memory: what is under way, and what was a moment ago. */
const DELIVERIES_IN_MEMORY = 5_000;
/** First wait after a lost race for a delivery's stream; it grows with the attempts. */
const CONFLICT_PAUSE_MS = 5;

/** The delivery streams. They have their own `Aggregates`, because they come and go too fast to share its memory. */
@Injectable()
export class Deliveries {
  private readonly aggregates: Aggregates;

  constructor(
    aggregates: Aggregates,
    store: JournaledStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.aggregates = aggregates.withOptions({
      store,
      capacity: DELIVERIES_IN_MEMORY,
      pause: (attempt) => pause(attempt * CONFLICT_PAUSE_MS),
    });
  }

  /** Business time: the retry schedule runs on it, so that a sandbox can be moved on. */
  now(): string {
    return isoTime(this.clock.now());
  }

  /** As it is now, or at least as far as revision `atLeast`. */
  async load(
    deliveryId: string,
    atLeast = Infinity,
  ): Promise<{ readonly delivery: Delivery; readonly revision: number; readonly traceparent?: string }> {
    const { state, revision, traceparent } = await this.aggregates.load(
      deliveryDecider,
      deliveryId,
      (held) => held.revision >= atLeast,
    );
    return { delivery: state, revision, traceparent };
  }

  /** True also when there is no such delivery, because the endpoint does not receive that event. */
  async hasEnded(deliveryId: string): Promise<boolean> {
    // What has ended stays so.
    return hasEnded((await this.aggregates.load(deliveryDecider, deliveryId, ({ state }) => hasEnded(state))).state);
  }

  /** `step` names the command: the same step of the same delivery is carried out once. */
  async handle(
    deliveryId: string,
    step: string,
    origin: DeliveryOrigin,
    command: (now: string) => DeliveryCommand,
  ): Promise<Outcome<Delivery, DeliveryEvent>> {
    return this.aggregates.handle(deliveryDecider, deliveryId, command, this.context(deliveryId, step, origin));
  }

  /** As {@link handle}, for a step that begins the delivery unless it was made before. */
  async create(
    deliveryId: string,
    step: string,
    origin: DeliveryOrigin,
    command: (now: string) => DeliveryCommand,
  ): Promise<Outcome<Delivery, DeliveryEvent>> {
    return this.aggregates.createIfAbsent(deliveryDecider, deliveryId, command, this.context(deliveryId, step, origin));
  }

  private context(deliveryId: string, step: string, origin: DeliveryOrigin) {
    return { ...origin, commandId: derivedId('delivery-step', deliveryId, step), now: () => this.now() };
  }
}
