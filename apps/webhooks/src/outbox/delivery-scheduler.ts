import type { PublishedEnvelope, WebhookEndpointPinged } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { addSeconds } from '@ponte/kernel';
import type { AccountEndpoints } from '../endpoints/account-endpoints';
import type { FreshDelivery } from '../dispatch/attempt';
import type { Deliveries } from '../dispatch/deliveries';
import { deliveryIdOf } from '../dispatch/deliveries';
import type { Dispatcher } from '../dispatch/dispatcher';
import { hasEnded } from '../deliveries/delivery.state';
import { pingEnvelope } from '../publication/ping.domain';
import type { Publication } from '../publication/publication.domain';
import { publishedEventId } from '../publication/publication.domain';
import type { Endpoint } from '../endpoints/endpoints.state';
import { wants } from '../endpoints/endpoints.state';
import type { UndeliveredWatermark } from './undelivered-watermark';

/** An envelope on its way to an endpoint. */
interface Planned {
  readonly envelope: PublishedEnvelope;
  readonly endpoint: Pick<Endpoint, 'endpointId' | 'accountId'>;
  readonly after: string | null;
  readonly source: Pick<Recorded, 'id' | 'meta' | 'position'>;
  /** No one can have been told of it yet. */
  readonly undelivered: boolean;
}

/** A delivery of which nothing is recorded yet. */
interface Unrecorded {
  readonly recorded: Promise<void>;
  /** Resolves with true when the receiver has it, and with false when its record has to be asked. */
  readonly delivered: Promise<boolean>;
}

/** First attempts at once; beyond it deliveries are recorded before they are made. */
const MOST_UNRECORDED = 2_048;
const ACTOR = 'webhook-outbox';

/**
 * Makes a delivery of each envelope for each endpoint that wants it. What can leave at once leaves before anything of
 * it is recorded; everything else is recorded and left to the dispatcher.
 */
export class DeliveryScheduler {
  /** Deliveries of which nothing is recorded yet, until something is. */
  private readonly unrecorded = new Map<string, Unrecorded>();

  constructor(
    private readonly endpoints: AccountEndpoints,
    private readonly deliveries: Deliveries,
    private readonly dispatcher: Pick<Dispatcher, 'first' | 'offer' | 'offerAfter' | 'persistently'>,
    private readonly undelivered: UndeliveredWatermark,
  ) {}

  /** An event of the endpoints of an account, before what comes behind it in the log is scheduled. */
  saw(accountId: string, revision: number): void {
    this.endpoints.readerSaw(accountId, revision);
  }

  /**
   * Resolves when every delivery is known here, with the promises of those that are not recorded yet. Those about one
   * resource are planned one after the other, so that each finds the one before it. One that rejects was left to the
   * next start, because this process stops.
   */
  async schedule(
    publications: readonly Publication[],
    pings: readonly Recorded<WebhookEndpointPinged>[],
  ): Promise<Promise<void>[]> {
    const open: Promise<void>[] = [];
    const isUndelivered = await this.undelivered.in([
      ...publications.map(({ source }) => source.position),
      ...pings.map(({ position }) => position),
    ]);
    const chains = new Map<string, Promise<void>>();
    const chain = (key: string, plan: () => Promise<void>) => chains.set(key, chains.get(key)?.then(plan) ?? plan());
    for (const publication of publications)
      chain(`${publication.audience}/${publication.envelope.resourceId}`, () =>
        this.publication(publication, isUndelivered(publication.source.position), open),
      );
    for (const ping of pings)
      chain(`${ping.data.accountId}/${ping.data.endpointId}`, () =>
        this.ping(ping, isUndelivered(ping.position), open),
      );
    const made = await Promise.allSettled(chains.values());
    for (const one of made) if (one.status === 'rejected') throw one.reason;
    return open;
  }

  private async publication(publication: Publication, undelivered: boolean, open: Promise<void>[]): Promise<void> {
    const { envelope, source } = publication;
    for (const endpoint of (await this.endpoints.asRead(publication.audience)).values()) {
      if (wants(endpoint, envelope.eventType) && !wasBefore(envelope, endpoint))
        await this.plan(
          {
            envelope,
            endpoint,
            source,
            undelivered,
            after: endpoint.faults?.reorder ? null : before(publication, endpoint),
          },
          open,
        );
    }
  }

  /**
   * The endpoint may be gone when the ping is read; then no one waits for it. A ping is in no outbox, so it is
   * recorded.
   */
  private async ping(
    event: Recorded<WebhookEndpointPinged>,
    undelivered: boolean,
    open: Promise<void>[],
  ): Promise<void> {
    const { accountId, endpointId, previousEventId } = event.data;
    const endpoint = await this.endpoints.find(accountId, endpointId);
    const after = previousEventId === undefined ? null : deliveryIdOf(previousEventId, endpointId);
    if (endpoint)
      await this.plan({ envelope: pingEnvelope(event.data), endpoint, source: event, undelivered, after }, open);
  }

  /** A slice that comes again finds what it made the first time, on its way or recorded. */
  private async plan(
    { envelope, endpoint: { endpointId, accountId }, after, source, undelivered }: Planned,
    open: Promise<void>[],
  ): Promise<void> {
    const deliveryId = deliveryIdOf(envelope.eventId, endpointId);
    const delivery = undelivered ? undefined : (await this.deliveries.load(deliveryId)).delivery;
    if (delivery && delivery.status !== 'unscheduled') {
      if (!hasEnded(delivery)) this.dispatcher.offer({ deliveryId, endpointId, accountId, after });
      return;
    }
    const terms = { deliveryId, endpointId, accountId, after, correlationId: source.meta.correlationId, envelope };
    open.push(
      this.unrecorded.get(deliveryId)?.recorded ?? this.begin({ terms, source, traceparent: source.meta.traceparent }),
    );
  }

  private begin(fresh: FreshDelivery): Promise<void> {
    const { deliveryId } = fresh.terms;
    let reported = (_delivered: boolean): void => undefined;
    const delivered = new Promise<boolean>((resolve) => {
      reported = resolve;
    });
    const recorded = this.carryOut(fresh, () => reported(true)).finally(() => {
      reported(false);
      this.unrecorded.delete(deliveryId);
    });
    this.unrecorded.set(deliveryId, { recorded, delivered });
    // The owner of the checkpoint handles the failure; this handler only prevents an unhandled rejection.
    recorded.catch(() => undefined);
    return recorded;
  }

  private async carryOut(fresh: FreshDelivery, delivered: () => void): Promise<void> {
    const { deliveryId, endpointId, accountId, after } = fresh.terms;
    const blocked = after !== null && !(await this.isOver(after));
    const isPing = fresh.terms.envelope.eventType === 'webhook-ping';
    if (
      !blocked &&
      !isPing &&
      this.unrecorded.size < MOST_UNRECORDED &&
      (await this.dispatcher.first(fresh, delivered))
    )
      return;
    await this.dispatcher.persistently(() => this.record(fresh));
    const task = { deliveryId, endpointId, accountId, after };
    // Recorded, it is found in the view, whatever becomes of the offer.
    if (blocked) await this.dispatcher.offerAfter(task, after).catch(() => undefined);
    else this.dispatcher.offer(task);
  }

  /**
   * Whether the receiver may be told what comes after a delivery. It need not be recorded that it has this one: should
   * we die before, both are made again, in their order.
   */
  private async isOver(deliveryId: string): Promise<boolean> {
    return (
      (await this.unrecorded.get(deliveryId)?.delivered) ||
      this.dispatcher.persistently(() => this.deliveries.hasEnded(deliveryId))
    );
  }

  private async record({ terms, source, traceparent }: FreshDelivery): Promise<void> {
    const origin = { correlationId: terms.correlationId, causationId: source.id, actor: ACTOR, traceparent };
    await this.deliveries.create(terms.deliveryId, 'schedule', origin, (now) => ({ kind: 'schedule', terms, now }));
  }
}

/** Clocks of processes run a little apart; nothing that followed the endpoint may be taken for older. */
const APART_SECONDS = 60;

/** An endpoint is not told of what was long before it. Only a reader that was put back comes upon such events. */
const wasBefore = ({ occurredAt }: PublishedEnvelope, { createdAt }: Endpoint): boolean =>
  addSeconds(occurredAt, APART_SECONDS) < createdAt;

/** The delivery of the last event about the same resource that this endpoint wanted. */
function before({ audience, earlier }: Publication, endpoint: Endpoint): string | null {
  const last = earlier.findLast(({ eventType }) => wants(endpoint, eventType));
  return last ? deliveryIdOf(publishedEventId(last, audience), endpoint.endpointId) : null;
}
