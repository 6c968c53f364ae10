import type { DeliveryEvent } from '@ponte/contracts';
import type { Aggregates, Outcome, RequestContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId, isoTime } from '@ponte/kernel';
import type { Delivery, DeliveryCommand } from '../deliveries/delivery.state';
import { deliveryDecider } from '../deliveries/delivery.decider';
import { hasEnded } from '../deliveries/delivery.state';

/** A delivery by the ids that it takes to find it, its endpoint and the delivery before it. */
export interface Task {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly after: string | null;
}

/** One envelope for one endpoint is one delivery, for ever. */
export const deliveryIdOf = (publishedEventId: string, endpointId: string): string =>
  derivedId('delivery', publishedEventId, endpointId);

/** The delivery streams. They have their own `Aggregates`, because they come and go too fast to share its memory. */
export class Deliveries {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {}

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
    origin: Pick<RequestContext, 'correlationId' | 'causationId' | 'actor' | 'traceparent'>,
    command: (now: string) => DeliveryCommand,
  ): Promise<Outcome<Delivery, DeliveryEvent>> {
    const commandId = derivedId('delivery-step', deliveryId, step);
    return this.aggregates.handle(deliveryDecider, deliveryId, command, {
      ...origin,
      commandId,
      now: () => this.now(),
    });
  }

  /** As {@link handle}, for a step that begins the delivery unless it was made before. */
  async create(
    ...[deliveryId, step, origin, command]: Parameters<Deliveries['handle']>
  ): ReturnType<Deliveries['handle']> {
    const commandId = derivedId('delivery-step', deliveryId, step);
    return this.aggregates.createIfAbsent(deliveryDecider, deliveryId, command, {
      ...origin,
      commandId,
      now: () => this.now(),
    });
  }
}
