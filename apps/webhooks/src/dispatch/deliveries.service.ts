import { Inject, Injectable } from '@nestjs/common';
import { pause } from '@ponte/concurrency';
import type { DeliveryEvent, PublishedEnvelope } from '@ponte/contracts';
import { Aggregates } from '@ponte/event-sourcing';
import type { Outcome, RequestContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { addSeconds, derivedId, isoTime } from '@ponte/kernel';
import type { Delivery, DeliveryCommand } from '../deliveries/delivery.state';
import { deliveryDecider } from '../deliveries/delivery.decider';
import { JournaledStore } from '../journal/journaled-store.service';
import { CLOCK } from '@ponte/nest';
import { hasEnded } from '../deliveries/delivery.state';
import { receivesEvent } from '../endpoints/account-endpoints.service';
import { LOG_RETENTION_SECONDS } from '../endpoints/endpoint-changes.domain';
import type { Endpoint } from '../endpoints/endpoints.state';
import type { Publication } from '../publication/publication.domain';
import { publishedEventId } from '../publication/publication.domain';

type DeliveryOrigin = Pick<RequestContext, 'correlationId' | 'causationId' | 'actor' | 'traceparent'>;

/** The delivery id is derived, so one envelope for one endpoint is always the same delivery. */
export const deliveryIdOf = (publishedEventId: string, endpointId: string): string =>
  derivedId('delivery', publishedEventId, endpointId);

/** The clocks of processes differ slightly; an event after the creation of the endpoint must not count as older. */
const APART_SECONDS = 60;

/** Whether the endpoint or the event log is younger. Only a reader that begins far back finds such events. */
export function isTooOld({ occurredAt }: PublishedEnvelope, { createdAt }: Endpoint, now: string): boolean {
  const kept = addSeconds(now, -LOG_RETENTION_SECONDS);
  return occurredAt < kept || addSeconds(occurredAt, APART_SECONDS) < createdAt;
}

/** The delivery of the last event about the same resource that this endpoint receives. */
export function precedingDelivery({ audience, earlier }: Publication, endpoint: Endpoint): string | null {
  const last = earlier.findLast(({ eventType }) => receivesEvent(endpoint, eventType));
  return last ? deliveryIdOf(publishedEventId(last, audience), endpoint.endpointId) : null;
}

/** Delivery streams kept in memory: those of running and recent deliveries. */
const DELIVERIES_IN_MEMORY = 5_000;
/** First pause after a concurrent append to a delivery's stream, in milliseconds. It grows with each retry. */
const CONFLICT_PAUSE_MS = 5;

/** The delivery streams. They are too many and too short-lived to share the cache of the service's `Aggregates`. */
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

  /** Business time. The retry schedule uses it, so that a sandbox can be moved forward in time. */
  now(): string {
    return isoTime(this.clock.now());
  }

  /** Loads the current state, or a cached one that has at least revision `atLeast`. */
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

  /** Also true when the delivery does not exist, because its endpoint does not receive that event. */
  async hasEnded(deliveryId: string): Promise<boolean> {
    // An ended delivery in the cache does not have to be read again.
    return hasEnded((await this.aggregates.load(deliveryDecider, deliveryId, ({ state }) => hasEnded(state))).state);
  }

  /** `step` names the command: the same step of the same delivery is executed once. */
  async handle(
    deliveryId: string,
    step: string,
    origin: DeliveryOrigin,
    command: (now: string) => DeliveryCommand,
  ): Promise<Outcome<Delivery, DeliveryEvent>> {
    return this.aggregates.handle(deliveryDecider, deliveryId, command, this.context(deliveryId, step, origin));
  }

  /** Like {@link handle}, for a step that creates the delivery if it does not exist. */
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
