import type { PublishedEnvelope, WebhookEndpointPinged } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { AccountEndpoints } from '../dispatch/account-endpoints';
import type { Deliveries } from '../dispatch/deliveries';
import { deliveryIdOf } from '../dispatch/deliveries';
import type { Dispatcher } from '../dispatch/dispatcher';
import { pingEnvelope } from '../domain/publication/ping';
import type { Publication } from '../domain/publication/publication';
import { publishedEventId } from '../domain/publication/publication';
import type { Endpoint } from '../domain/webhook-endpoint/endpoints';
import { wants } from '../domain/webhook-endpoint/endpoints';

/** An envelope on its way to an endpoint. */
interface Planned {
  readonly envelope: PublishedEnvelope;
  readonly endpoint: Pick<Endpoint, 'endpointId' | 'accountId'>;
  readonly after: string | null;
  readonly source: Pick<Recorded, 'id' | 'meta'>;
}

/** Makes a delivery of each envelope for each endpoint that wants it, and hands it to the dispatcher. */
export class DeliveryScheduler {
  constructor(
    private readonly endpoints: AccountEndpoints,
    private readonly deliveries: Deliveries,
    private readonly dispatcher: Pick<Dispatcher, 'reserve' | 'giveBack' | 'send' | 'offer' | 'offerAfter'>,
  ) {}

  /** Resolves when every delivery is durable. Those about one resource are made one after the other, so that each finds the one before it. */
  async schedule(publications: readonly Publication[], pings: readonly Recorded<WebhookEndpointPinged>[]): Promise<void> {
    const chains = new Map<string, Promise<void>>();
    for (const publication of publications) {
      const key = `${publication.audience}/${publication.envelope.resourceId}`;
      const before = chains.get(key);
      chains.set(key, before ? before.then(() => this.publication(publication)) : this.publication(publication));
    }
    const made = await Promise.allSettled([...chains.values(), ...pings.map((ping) => this.ping(ping))]);
    for (const one of made) if (one.status === 'rejected') throw one.reason;
  }

  private async publication(publication: Publication): Promise<void> {
    const { envelope, source } = publication;
    const endpoints = [...(await this.endpoints.of(publication.audience)).values()].filter((endpoint) => wants(endpoint, envelope.eventType));
    await Promise.all(endpoints.map((endpoint) => this.plan({ envelope, endpoint, source, after: before(publication, endpoint) })));
  }

  /** The endpoint may be gone when the ping is read; then nobody waits for it. */
  private async ping(event: Recorded<WebhookEndpointPinged>): Promise<void> {
    const endpoint = await this.endpoints.find(event.data.accountId, event.data.endpointId);
    if (endpoint) await this.plan({ envelope: pingEnvelope(event.data), endpoint, source: event, after: null });
  }

  private async plan({ envelope, endpoint, after, source }: Planned): Promise<void> {
    const { endpointId, accountId } = endpoint;
    const deliveryId = deliveryIdOf(envelope.eventId, endpointId);
    const task = { deliveryId, endpointId, accountId, after };
    const blocked = after !== null && !(await this.deliveries.hasEnded(after));
    const start = !blocked && this.dispatcher.reserve(endpointId);
    const { correlationId } = source.meta;
    try {
      await this.deliveries.handle(deliveryId, 'schedule', { correlationId, causationId: source.id, actor: 'webhook-outbox' }, (now) => ({
        kind: 'schedule', deliveryId, endpointId, accountId, envelope, after, correlationId, now, start,
      }));
    } catch (error) {
      if (start) this.dispatcher.giveBack(endpointId);
      throw error;
    }
    if (start) this.dispatcher.send(task);
    else if (blocked) await this.dispatcher.offerAfter(task, after);
    else this.dispatcher.offer(task);
  }
}

/** The delivery of the last event about the same resource that this endpoint wanted. */
function before({ audience, earlier }: Publication, endpoint: Endpoint): string | null {
  const last = earlier.findLast(({ eventType }) => wants(endpoint, eventType));
  return last ? deliveryIdOf(publishedEventId(last.sourceEventId, audience), endpoint.endpointId) : null;
}
