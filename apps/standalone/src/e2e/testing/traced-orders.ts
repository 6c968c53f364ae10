import type { CollectedSpan } from '@ponte/testing';
import type { OtlpCollector } from '@ponte/testing';
import type { WebhookReceiver } from '../../demo/webhook-receiver';
import type { Answer } from './client';
import type { Order } from './customer';
import type { Customer } from './customer';
import { until } from './waiting';

export type Accepted = Answer<{ readonly order: Order }>;

/** The id of a request, as its answer says it. */
export const requestId = ({ headers }: Answer<unknown>): string => String(headers['x-request-id']);

/** Orders whose requests carry a trace. */
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

  /** Placed, completed, and reported by webhook. */
  async carriedThrough(accepted: Accepted): Promise<void> {
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
