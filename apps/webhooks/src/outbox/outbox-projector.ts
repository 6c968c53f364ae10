import type { WebhookEndpointDisabled, WebhookEndpointEvent, WebhookEndpointPinged } from '@ponte/contracts';
import type { LogSlice, Recorded } from '@ponte/event-sourcing';
import { categoryOf, idOf } from '@ponte/event-sourcing';
import { endpointDisabled } from '../publication/endpoint-disabled.domain';
import type { Publication } from '../publication/publication.domain';
import { publicationsOf } from '../publication/publication.domain';
import type { DeliveryScheduler } from './delivery-scheduler';
import type { CheckpointTracker } from './checkpoint-tracker';
import type { Publishing } from './publishing';
import type { PublicationHistories } from './publication-histories';
import { sourceEvent } from './publication-histories';

/** Categories of the streams that are published, and of the endpoints, whose pings become deliveries. */
export const OUTBOX_SOURCES = [
  'order',
  'deposit',
  'withdrawal',
  'accountRequest',
  'transfer',
  'nftTransfer',
  'webhookEndpoint',
] as const;
const ENDPOINTS: (typeof OUTBOX_SOURCES)[number] = 'webhookEndpoint';

/** The name of the projector and of its checkpoint. */
export const OUTBOX_READER = 'webhook-outbox';

type Pinged = Recorded<WebhookEndpointPinged>;

/**
 * Reads the log and writes the outboxes and the deliveries. All appended events have derived ids, so processing a slice
 * again, after a failure or a crash, produces the same streams.
 */
export class OutboxProjector {
  constructor(
    private readonly histories: PublicationHistories,
    private readonly outbox: Publishing,
    private readonly scheduler: DeliveryScheduler,
    private readonly open: CheckpointTracker,
  ) {}

  /** Resolves when the deliveries are planned. The checkpoint waits until deliveries and outboxes are durable. */
  async apply(slice: Pick<LogSlice, 'events' | 'position'>): Promise<void> {
    const publications: Publication[] = [];
    const pings: Pinged[] = [];
    for (const event of slice.events) {
      if (categoryOf(event.stream) === ENDPOINTS) this.scheduler.saw(idOf(event.stream), event.revision);
      if (isPing(event)) pings.push(event);
      else if (isDisablement(event)) publications.push(...endpointDisabled(event));
      else publications.push(...(await this.publications(event)));
    }
    if (publications.length === 0 && pings.length === 0) return;
    // In parallel: outboxes and deliveries do not depend on each other, and the deliveries of the next slice need not
    // wait until the outboxes of this one are written.
    const published = publications.length > 0 ? [this.outbox.publish(publications)] : [];
    const deliveries = await this.scheduler.schedule(publications, pings);
    this.open.add(slice.position, [...published, ...deliveries]);
    if (this.outbox.isFull) await Promise.all(published);
  }

  /** An event of a type unknown to this build is not published; a known type in a later version stops the projector. */
  private async publications(event: Recorded): Promise<Publication[]> {
    const fact = sourceEvent(event);
    return fact ? publicationsOf(fact, await this.histories.before(fact)) : [];
  }
}

const isDisablement = (event: Recorded): event is Recorded<WebhookEndpointDisabled> =>
  (event.type as WebhookEndpointEvent['type']) === 'WebhookEndpointDisabled';

const isPing = (event: Recorded): event is Pinged =>
  (event.type as WebhookEndpointEvent['type']) === 'WebhookEndpointPinged';
