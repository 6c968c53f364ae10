import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { pause } from '@ponte/concurrency';
import type { PublishedEnvelope, ReplayWebhookDelivery } from '@ponte/contracts';
import type { ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { Unavailable, derivedId, refuse } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import { AccountEndpoints } from '../endpoints/account-endpoints.service';
import { Deliveries } from '../dispatch/deliveries.service';
import { OutboxReader } from '../event-log/outbox-reader.service';
import type { ReadDelivery } from './delivery-records.service';
import { DeliveryRecords } from './delivery-records.service';

const POLL_INTERVAL_MS = 100;
const MAX_READS = 30;

/** The reply is the record of the delivery that will be attempted, null when the account has no such delivery. */
export class ReplayWebhookDeliveryCommand extends RequestCommand<typeof ReplayWebhookDelivery> {}

@CommandHandler(ReplayWebhookDeliveryCommand)
export class ReplayWebhookDeliveryHandler implements ICommandHandler<ReplayWebhookDeliveryCommand> {
  constructor(
    private readonly records: DeliveryRecords,
    private readonly deliveries: Deliveries,
    private readonly endpoints: AccountEndpoints,
    private readonly outbox: OutboxReader,
  ) {}

  async execute({
    payload: { accountId, deliveryId },
    context,
  }: ReplayWebhookDeliveryCommand): Promise<ReplyOf<typeof ReplayWebhookDelivery>> {
    const read = await this.records.read(accountId, deliveryId);
    if (!read) return null;
    const endpoint = await this.endpoints.find(accountId, read.delivery.endpointId);
    if (!endpoint) return refuse('webhook-endpoint-not-found', 'the endpoint of the delivery was deleted');
    if (endpoint.status === 'disabled') {
      refuse('webhook-endpoint-disabled', 'the endpoint is disabled; enable it first', 'id');
    }
    const replayed = await this.replay(read, context);
    const [record] = await this.records.of(accountId, [replayed]);
    return record ?? null;
  }

  /** Returns the id of the delivery that will be attempted. Repeating the command creates no second replay. */
  private async replay(read: ReadDelivery, context: RequestContext): Promise<string> {
    const { delivery } = read;
    const { deliveryId, endpointId, accountId } = delivery;
    if (delivery.status === 'failed') {
      await this.deliveries.handle(deliveryId, `replay-${context.commandId}`, context, (now) => ({
        kind: 'replay',
        after: null,
        now,
      }));
    }
    if (delivery.status !== 'succeeded') return deliveryId;
    const again = derivedId('delivery-replay', deliveryId, context.commandId);
    const terms = {
      deliveryId: again,
      endpointId,
      accountId,
      after: null,
      correlationId: context.correlationId,
      envelope: await this.envelopeOf(read),
      replayOf: delivery.replayOf ?? deliveryId,
    };
    await this.deliveries.create(again, 'schedule', context, (now) => ({ kind: 'schedule', terms, now }));
    return again;
  }

  /** Reads the envelope from the delivery's own stream if it is there, and otherwise from the outbox. */
  private async envelopeOf({ delivery, events }: ReadDelivery): Promise<PublishedEnvelope> {
    for (const { type, data } of events) {
      if (type === 'DeliveryScheduled') return data.envelope;
      if (type !== 'DeliveredAtOnce') continue;
      return this.published(delivery, data.sourcePosition);
    }
    throw new Error('the stream of a delivery does not begin with DeliveryScheduled or DeliveredAtOnce');
  }

  /** Reads the envelope from the outbox, for up to 3 s: outboxes are written in parallel and may lag for a moment. */
  private async published(
    { accountId, eventId }: ReadDelivery['delivery'],
    position: string,
  ): Promise<PublishedEnvelope> {
    for (let attempt = 0; attempt < MAX_READS; attempt += 1) {
      const entry = await this.outbox.published(accountId, eventId, position);
      if (entry) return entry.envelope;
      await pause(POLL_INTERVAL_MS);
    }
    throw new Unavailable('service-unavailable');
  }
}
