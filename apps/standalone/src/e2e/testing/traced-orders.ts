import type { CollectedSpan } from '@ponte/testing';
import type { OtlpCollector } from '@ponte/testing';
import type { WebhookReceiver } from '../../demo/webhook-receiver';
import type { Answer } from './client';
import type { Order } from './customer';
import type { Customer } from './customer';
import { until } from './waiting';

type Accepted = Answer<{ readonly order: Order }>;

/** The request id from a response. */
export const requestId = ({ headers }: Answer<unknown>): string => String(headers['x-request-id']);

/** Places orders whose requests carry a trace context. */
export class TracedOrders {
  constructor(
    private readonly customer: Customer,
    private readonly collector: OtlpCollector,
    private readonly receiver: WebhookReceiver,
  ) {}

  readonly place = async (traceparent: string): Promise<Accepted> =>
    this.customer.api.send<{ order: Order }>(
      'POST',
      this.customer.path('/orders'),
      { 'quote-id': await this.customer.quote('10.00') },
      { traceparent },
    );

  readonly rootOf = (correlationId: string): CollectedSpan | undefined =>
    this.collector.spans.find(
      ({ name, attributes }) =>
        name === 'POST /api/v1/accounts/:accountId/orders' && attributes['ponte.correlation.id'] === correlationId,
    );

  /** Expects that the order was placed, completed and reported by webhooks. */
  async expectCompleted(accepted: Accepted): Promise<void> {
    expect(accepted.status).toBe(200);
    const { id } = accepted.body.order;
    expect((await this.customer.ended(id)).state).toBe('completed');
    await until(() =>
      expect(this.receiver.verified.filter((one) => one['resource-id'] === id).map((one) => one['event-type'])).toEqual(
        ['order-created', 'order-processing', 'order-completed'],
      ),
    );
  }
}
