import type { CollectedSpan } from '@ponte/testing';
import { OtlpCollector } from '@ponte/testing';
import type { WebhookReceiver } from '../../demo/webhook-receiver';
import type { Answer } from './client';
import type { Order } from './customer';
import type { Customer } from './customer';
import { SIMULATED } from './program';
import { SandboxSuite } from './sandbox-suite';
import { until } from './waiting';

type Accepted = Answer<{ readonly order: Order }>;

/** The request id from a response. */
export const requestId = ({ headers }: Answer<unknown>): string => String(headers['x-request-id']);

/** Places orders whose requests carry a trace context. */
class TracedOrders {
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

/** A running program that exports its traces, with a funded customer who receives webhooks. */
export async function startTracedSuite() {
  const collector = await OtlpCollector.start();
  const suite = await SandboxSuite.start({
    ...SIMULATED,
    PONTE_LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  });
  suite.closing(collector);
  try {
    const { running, customer } = suite;
    const receiver = await suite.receiverOf(customer);
    await customer.fund('500.00');
    return { suite, running, customer, collector, receiver, orders: new TracedOrders(customer, collector, receiver) };
  } catch (error) {
    await suite.close();
    throw error;
  }
}
