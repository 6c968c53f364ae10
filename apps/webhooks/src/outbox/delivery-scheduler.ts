import type { PublishedEnvelope, WebhookEndpointPinged } from '@ponte/contracts';
import type { Position, Recorded } from '@ponte/event-sourcing';
import type { AccountEndpoints } from '../endpoints/account-endpoints.service';
import { receivesEvent } from '../endpoints/account-endpoints.service';
import type { FirstAttemptHooks, FreshDelivery } from '../dispatch/attempt.service';
import type { Deliveries } from '../dispatch/deliveries.service';
import { deliveryIdOf, isTooOld, precedingDelivery } from '../dispatch/deliveries.service';
import type { Dispatcher } from '../dispatch/dispatcher.service';
import type { Task } from '../dispatch/delivery-task';
import type { LiveDelivery } from '../deliveries/delivery.state';
import { isLive, waitsForPrevious } from '../deliveries/delivery.state';
import { pingEnvelope } from '../publication/ping.domain';
import type { Publication } from '../publication/publication.domain';
import type { Endpoint } from '../endpoints/endpoints.state';

/** Whether no process can have delivered the event at this position of the log yet. */
export type IsUndelivered = (position: Position) => boolean;

/** What a slice of the log has for the endpoints of one account. */
export interface Scheduled {
  readonly publications: readonly Publication[];
  readonly pings: readonly Recorded<WebhookEndpointPinged>[];
}

/** An envelope to be delivered to an endpoint. */
interface Planned {
  readonly envelope: PublishedEnvelope;
  readonly endpoint: Pick<Endpoint, 'endpointId' | 'accountId'>;
  readonly after: string | null;
  readonly source: Pick<Recorded, 'id' | 'meta' | 'position'>;
  /** Whether no process can have delivered it yet, see `UndeliveredWatermark`. */
  readonly undelivered: boolean;
}

interface Unrecorded {
  readonly recorded: Promise<void>;
  /** True when the receiver has the event, false when only the record can show that. */
  readonly delivered: Promise<boolean>;
}

/** The most unrecorded deliveries at a time; further ones are recorded before their first attempt. */
const MAX_UNRECORDED = 2_048;
const ACTOR = 'webhook-outbox';

/**
 * Creates a delivery of each envelope for each endpoint that receives its event type. Where possible, the first attempt
 * is made before the delivery is recorded. All other deliveries are recorded first and left to the dispatcher.
 */
export class DeliveryScheduler {
  /** Deliveries that are not recorded yet, by id. */
  private readonly unrecorded = new Map<string, Unrecorded>();

  constructor(
    private readonly endpoints: AccountEndpoints,
    private readonly deliveries: Deliveries,
    private readonly dispatcher: Pick<Dispatcher, 'first' | 'offer' | 'offerAfter'>,
    private readonly retries: { retryForever<T>(accountId: string, work: () => Promise<T>): Promise<T> },
  ) {}

  /**
   * Resolves when every delivery is planned, with one promise per delivery that is not recorded yet. Deliveries about
   * one resource are planned one after the other, so that each finds the preceding one. A promise rejects when this
   * process stops; the next start then plans the delivery again. Rejects when a stream cannot be read; it can then be
   * called again with the same slice, without `isUndelivered`.
   */
  async schedule({ publications, pings }: Scheduled, isUndelivered: IsUndelivered): Promise<Promise<void>[]> {
    const open: Promise<void>[] = [];
    const chains = new Map<string, Promise<void>>();
    const chain = (key: string, plan: () => Promise<void>) => chains.set(key, chains.get(key)?.then(plan) ?? plan());
    for (const publication of publications)
      chain(`${publication.audience}/${publication.envelope.resourceId}`, () =>
        this.publication(publication, !publication.publishedAt && isUndelivered(publication.source.position), open),
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
      if (receivesEvent(endpoint, envelope.eventType) && !isTooOld(envelope, endpoint, this.deliveries.now()))
        await this.plan(
          {
            envelope,
            endpoint,
            source,
            undelivered,
            after: endpoint.faults?.reorder ? null : precedingDelivery(publication, endpoint),
          },
          open,
        );
    }
  }

  /**
   * Does nothing if the endpoint was deleted. A ping is in no outbox, so its delivery is recorded before it is sent.
   */
  private async ping(
    event: Recorded<WebhookEndpointPinged>,
    undelivered: boolean,
    open: Promise<void>[],
  ): Promise<void> {
    const { accountId, endpointId, previousEventId } = event.data;
    const endpoint = await this.endpoints.find(accountId, endpointId);
    const after = previousEventId === undefined ? null : deliveryIdOf(previousEventId, endpointId);
    const envelope = pingEnvelope(event.data);
    if (endpoint && !isTooOld(envelope, endpoint, this.deliveries.now()))
      await this.plan({ envelope, endpoint, source: event, undelivered, after }, open);
  }

  /** When a slice is processed again, its deliveries are found, unrecorded or recorded, and are not created twice. */
  private async plan(
    { envelope, endpoint: { endpointId, accountId }, after, source, undelivered }: Planned,
    open: Promise<void>[],
  ): Promise<void> {
    const deliveryId = deliveryIdOf(envelope.eventId, endpointId);
    const delivery = undelivered ? undefined : (await this.deliveries.load(deliveryId)).delivery;
    if (delivery && delivery.status !== 'unscheduled') {
      if (isLive(delivery)) await this.resume(delivery);
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
    const retryForever: FirstAttemptHooks['retryForever'] = (work) => this.retries.retryForever(accountId, work);
    const blocked = after !== null && !(await this.isOver(after, accountId));
    const isPing = fresh.terms.envelope.eventType === 'webhook-ping';
    if (
      !blocked &&
      !isPing &&
      this.unrecorded.size < MAX_UNRECORDED &&
      (await this.dispatcher.first(fresh, { retryForever, delivered }))
    )
      return;
    await retryForever(() => this.record(fresh));
    const task = { deliveryId, endpointId, accountId, after };
    if (blocked) await this.offerAfter(task, after);
    else this.dispatcher.offer(task);
  }

  /** Offers a recorded delivery again, in its place in the order. */
  private async resume(delivery: LiveDelivery): Promise<void> {
    const { deliveryId, endpointId, accountId, after } = delivery;
    const task = { deliveryId, endpointId, accountId, after };
    if (after !== null && waitsForPrevious(delivery, this.deliveries.now())) await this.offerAfter(task, after);
    else this.dispatcher.offer(task);
  }

  /** The delivery is recorded, so it is found in the read model even if the offer fails. */
  private async offerAfter(task: Task, after: string): Promise<void> {
    await this.dispatcher.offerAfter(task, after).catch(() => undefined);
  }

  /**
   * Whether the next event may be sent. The success need not be recorded: after a crash, what is not recorded is sent
   * again, in order.
   */
  private async isOver(deliveryId: string, accountId: string): Promise<boolean> {
    return (
      (await this.unrecorded.get(deliveryId)?.delivered) ||
      this.retries.retryForever(accountId, () => this.deliveries.hasEnded(deliveryId))
    );
  }

  private async record({ terms, source, traceparent }: FreshDelivery): Promise<void> {
    const origin = { correlationId: terms.correlationId, causationId: source.id, actor: ACTOR, traceparent };
    await this.deliveries.create(terms.deliveryId, 'schedule', origin, (now) => ({ kind: 'schedule', terms, now }));
  }
}
