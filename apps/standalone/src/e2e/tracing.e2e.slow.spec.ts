import { randomBytes } from 'node:crypto';
import { SERVICES } from '@ponte/contracts';
import type { CollectedSpan } from '@ponte/testing';
import { CLUSTERED, SUITE_MS } from './testing/program';
import { until } from './testing/waiting';
import { requestId, startTracedSuite } from './testing/traced-orders';

jest.setTimeout(SUITE_MS);

const SAMPLED = '01';
const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

type Traced = Awaited<ReturnType<typeof startTracedSuite>>;
let suite: Traced['suite'];
let running: Traced['running'];
let collector: Traced['collector'];
let receiver: Traced['receiver'];
let orders: Traced['orders'];

beforeAll(async () => {
  ({ suite, running, collector, receiver, orders } = await startTracedSuite());
});
afterAll(() => suite.close());

/** The spans of an order from the balance, with either bus and either store. */
const EXPECTED = [
  'POST /api/v1/accounts/:accountId/orders',
  'ask orders.command.place-order',
  'orders.command.place-order',
  'ask ledger.command.place-hold',
  'ledger.command.place-hold',
  'append ledgerAccount',
  'append order',
  'handle OrderProcessingStarted',
  'movements.command.request-settlement',
  'append chainTransaction',
  'chain broadcast',
  'handle TransactionConfirmed',
  'append outbox',
  'POST webhook',
  'append delivery',
];

describe('the trace of an order, from the POST to its last webhook,', () => {
  const traceId = hex(16);
  const caller = hex(8);
  let correlationId: string;
  let trace: readonly CollectedSpan[];

  beforeAll(async () => {
    const accepted = await orders.place(`00-${traceId}-${caller}-${SAMPLED}`);
    correlationId = requestId(accepted);
    await orders.expectCompleted(accepted);
    await until(() => {
      trace = collector.spans.filter((span) => span.traceId === traceId);
      const names = new Set(trace.map(({ name }) => name));
      expect(EXPECTED.filter((name) => !names.has(name))).toEqual([]);
      const posts = trace.filter(({ name }) => name === 'POST webhook');
      // On a busy machine a response may take longer than 5 s; the webhook is then sent again with the same id.
      expect(new Set(posts.map(({ attributes }) => attributes['ponte.webhook.id'])).size).toBe(3);
      const ids = new Set([caller, ...trace.map(({ spanId }) => spanId)]);
      expect(trace.filter(({ parentSpanId }) => !ids.has(parentSpanId ?? '')).map(({ name }) => name)).toEqual([]);
    });
  });

  it("continues the caller's traceparent with a single root span", () => {
    expect(trace.filter(({ parentSpanId }) => parentSpanId === caller).map(({ name }) => name)).toEqual([
      'POST /api/v1/accounts/:accountId/orders',
    ]);
  });

  it('has all spans of the request, found by the X-Request-Id', () => {
    const traces = new Set(
      collector.spans
        .filter(({ attributes }) => attributes['ponte.correlation.id'] === correlationId)
        .map((span) => span.traceId),
    );
    expect([...traces]).toEqual([traceId]);
  });

  it('has the operation and the status in its first span', () => {
    expect(orders.rootOf(correlationId)?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/v1/accounts/:accountId/orders',
      'ponte.operation': 'create-order',
      'http.response.status_code': 200,
    });
  });

  it('contains no path, address or query', () => {
    const { 'base-url': url, 'subaccount-id': accountId } = running.sandbox;
    for (const { name, attributes } of collector.spans) {
      expect(name).not.toContain(accountId);
      for (const value of Object.values(attributes))
        expect(JSON.stringify(value)).not.toMatch(new RegExp(`${url}|${receiver.url}|/accounts/${accountId}|\\?`));
    }
  });

  it('has its trace id and correlation id in the log of every service involved', async () => {
    interface Line {
      readonly name: string;
      readonly pattern?: string;
      readonly group?: string;
      readonly deliveryId?: string;
      readonly msg: string;
      readonly 'correlation-id'?: string;
      readonly 'trace-id'?: string;
    }
    const lines = (): Line[] =>
      running.log
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Line)
        .filter((line) => line['correlation-id'] === correlationId);
    await until(() => {
      const sent = lines().filter(({ msg }) => msg === 'a webhook was sent');
      expect(new Set(sent.map(({ deliveryId }) => deliveryId)).size).toBe(3);
    });
    expect(new Set(lines().map((line) => line['trace-id']))).toEqual(new Set([traceId]));
    expect(lines().map(({ pattern, group, msg }) => pattern ?? group ?? msg)).toEqual(
      expect.arrayContaining([
        'answered',
        'orders.command.place-order',
        'ledger.command.place-hold',
        'movements.command.request-settlement',
        'orders',
        'a webhook was sent',
      ]),
    );
    if (CLUSTERED) expect(new Set(lines().map(({ name }) => name))).toEqual(new Set(SERVICES));
  });

  if (CLUSTERED)
    it('has spans of every service and is carried over Kafka', () => {
      expect(new Set(trace.map(({ service }) => service))).toEqual(new Set(SERVICES));
      expect(trace.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['publish OrderPlaced', 'publish TransactionConfirmed']),
      );
    });
});
