import type { DeliveryEvent } from '@ponte/contracts';
import type { EventStore } from '@ponte/event-sourcing';
import { streamName, upcaster } from '@ponte/event-sourcing';
import type { Delivery } from '../deliveries/delivery.state';
import { deliveryDecider } from '../deliveries/delivery.decider';
import { hasEnded } from '../deliveries/delivery.state';

const current = upcaster(deliveryDecider.events);

/** Reads deliveries without a cache: the code that writes the rows of an append must not wait for that append. */
export class JournalReader {
  constructor(private readonly store: Pick<EventStore, 'read'>) {}

  async load(deliveryId: string): Promise<{ readonly delivery: Delivery; readonly revision: number }> {
    const events = await this.store.read(streamName(deliveryDecider.category, deliveryId));
    const delivery = events
      .map((event) => current<DeliveryEvent>(event))
      .reduce((state, event) => deliveryDecider.evolve(state, event), deliveryDecider.initial);
    return { delivery, revision: events.length - 1 };
  }

  async hasEnded(deliveryId: string): Promise<boolean> {
    return hasEnded((await this.load(deliveryId)).delivery);
  }
}
