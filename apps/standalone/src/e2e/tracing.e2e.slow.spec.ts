import { randomBytes } from 'node:crypto';
import { SERVICES } from '@ponte/contracts';
import type { CollectedSpan } from '@ponte/testing';
import { OtlpCollector } from '@ponte/testing';
import type { WebhookReceiver } from '../demo/webhook-receiver';
import { startWebhookReceiver } from '../demo/webhook-receiver';
import type { Answer } from './testing/client';
import type { Order } from './testing/customer';
import { Customer } from './testing/customer';
import type { Running } from './testing/program';
import { CLUSTERED, Program, SIMULATED, SUITE_MS } from './testing/program';
import { until } from './testing/waiting';

jest.setTimeout(SUITE_MS);

const SAMPLED = '01';
const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

let program: Program;
let collector: OtlpCollector;
let running: Running;
let receiver: WebhookReceiver;
let customer: Customer;

beforeAll(async () => {
  [program, collector, receiver] = await Promise.all([Program.build(), OtlpCollector.start(), startWebhookReceiver()]);
  running = await program.start(program.dataFolder(), {
    ...SIMULATED,
    PONTE_LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  });
  customer = Customer.of(running.sandbox);
  receiver.useSecret(await customer.listen(receiver.url));
  await customer.fund('500.00');
});
afterAll(async () => {
  await customer.api.close();
  await program.close();
  await Promise.all([receiver.close(), collector.close()]);
});

type Accepted = Answer<{ readonly order: Order }>;

const place = async (traceparent: string): Promise<Accepted> =>
  customer.api.send<{ order: Order }>(
    'POST',
    customer.path('/orders'),
    { 'quote-id': await customer.quote('10.00') },
    { traceparent },
  );

const requestId = ({ headers }: Answer<unknown>): string => String(headers['x-request-id']);
const rootOf = (correlationId: string): CollectedSpan | undefined =>
  collector.spans.find(
    ({ name, attributes }) =>
      name === 'POST /api/v1/accounts/:accountId/orders' && attributes['ponte.correlation.id'] === correlationId,
  );

/** Placed, completed, and reported by webhook. */
async function carriedThrough(accepted: Accepted): Promise<void> {
  expect(accepted.status).toBe(200);
  const { id } = accepted.body.order;
  expect((await customer.ended(id)).state).toBe('completed');
  await until(() =>
    expect(receiver.verified.filter((one) => one['resource-id'] === id).map((one) => one['event-type'])).toEqual([
      'order-created',
      'order-processing',
      'order-completed',
    ]),
  );
}

/** What happens to an order from the balance, on either bus and over either store. */
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

describe('an order is one trace, from the POST to its last webhook', () => {
  const traceId = hex(16);
  const caller = hex(8);
  let correlationId: string;
  let trace: readonly CollectedSpan[];

  beforeAll(async () => {
    const accepted = await place(`00-${traceId}-${caller}-${SAMPLED}`);
    correlationId = requestId(accepted);
    await carriedThrough(accepted);
    await until(() => {
      trace = collector.spans.filter((span) => span.traceId === traceId);
      const names = new Set(trace.map(({ name }) => name));
      expect(EXPECTED.filter((name) => !names.has(name))).toEqual([]);
      expect(trace.filter(({ name }) => name === 'POST webhook')).toHaveLength(3);
      const ids = new Set([caller, ...trace.map(({ spanId }) => spanId)]);
      expect(trace.filter(({ parentSpanId }) => !ids.has(parentSpanId ?? '')).map(({ name }) => name)).toEqual([]);
    });
  });

  it("goes on with the caller's traceparent; every span but the first hangs on another one of it", () => {
    expect(trace.filter(({ parentSpanId }) => parentSpanId === caller).map(({ name }) => name)).toEqual([
      'POST /api/v1/accounts/:accountId/orders',
    ]);
  });

  it('whatever belongs to the request is in this trace and in no other, and is found by the X-Request-Id', () => {
    const traces = new Set(
      collector.spans
        .filter(({ attributes }) => attributes['ponte.correlation.id'] === correlationId)
        .map((span) => span.traceId),
    );
    expect([...traces]).toEqual([traceId]);
  });

  it('the first span says what was asked and answered', () => {
    expect(rootOf(correlationId)?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/v1/accounts/:accountId/orders',
      'ponte.operation': 'create-order',
      'http.response.status_code': 200,
    });
  });

  it('names no path, no address and no query', () => {
    const { 'base-url': url, 'subaccount-id': accountId } = running.sandbox;
    for (const { name, attributes } of collector.spans) {
      expect(name).not.toContain(accountId);
      for (const value of Object.values(attributes))
        expect(JSON.stringify(value)).not.toMatch(new RegExp(`${url}|${receiver.url}|/accounts/${accountId}|\\?`));
    }
  });

  it('every service that had a part in it says the same correlation id in its log, and the trace', async () => {
    interface Line {
      readonly name: string;
      readonly pattern?: string;
      readonly group?: string;
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
    await until(() => expect(lines().filter(({ msg }) => msg === 'a webhook was sent')).toHaveLength(3));
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
    it('every service reported its own spans, and Kafka carried the trace', () => {
      expect(new Set(trace.map(({ service }) => service))).toEqual(new Set(SERVICES));
      expect(trace.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['publish OrderPlaced', 'publish TransactionConfirmed']),
      );
    });
});

it('an order by brcode is one trace too, though it is the bank that says it was paid', async () => {
  const traceId = hex(16);
  const command = { 'quote-id': await customer.quote('10.00'), 'source-payment-method': 'brcode' };
  const {
    body: { order },
  } = await customer.api.send<{ order: Order }>('POST', customer.path('/orders'), command, {
    traceparent: `00-${traceId}-${hex(8)}-${SAMPLED}`,
  });
  await customer.api.post('/api/v1/sandbox/pix-payments', { brcode: order.brcode });
  expect((await customer.ended(order.id)).state).toBe('completed');
  const later = [
    'bank putCharge',
    'append pixCharge',
    'handle PixChargePaid',
    'chain broadcast',
    'handle TransactionConfirmed',
    'POST webhook',
  ];
  await until(() => {
    const names = new Set(collector.spans.filter((span) => span.traceId === traceId).map(({ name }) => name));
    expect(later.filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('what a caller sends as traceparent', () => {
  it.each([
    ['nothing', ''],
    ['no form at all', 'nonsense'],
    ['no trace id', `00-${'0'.repeat(32)}-${hex(8)}-01`],
    ['no span id', `00-${hex(16)}-${'0'.repeat(16)}-01`],
    ['an unknown version', `ff-${hex(16)}-${hex(8)}-01`],
    ['capitals', `00-${'AB'.repeat(16)}-${hex(8)}-01`],
    ['more than there is in version 00', `00-${hex(16)}-${hex(8)}-01-x`],
    ['very much', 'x'.repeat(4_000)],
  ])('is ignored when it is out of order: %s', async (_what, traceparent) => {
    const accepted = await place(traceparent);
    expect(accepted.status).toBe(200);
    const root = await until(() => {
      const found = rootOf(requestId(accepted));
      if (!found) throw new Error('the span has not come');
      return found;
    });
    expect(root.parentSpanId ?? '').toBe('');
    expect(root.traceId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('cannot keep a request out of the traces: the edge decides', async () => {
    const traceId = hex(16);
    await place(`00-${traceId}-${hex(8)}-00`);
    await until(() => expect(collector.spans.some((span) => span.traceId === traceId)).toBe(true));
  });
});

describe('a refusal', () => {
  it('has a span with its code, and none of its words', async () => {
    const answer = await customer.api.send('POST', customer.path('/orders'), { 'quote-id': 'not a quote' });
    expect(answer.status).toBe(400);
    const root = await until(() => {
      const found = rootOf(requestId(answer));
      if (!found) throw new Error('the span has not come');
      return found;
    });
    expect(root.attributes).toMatchObject({
      'http.response.status_code': 400,
      'ponte.error.code': expect.stringMatching(/^[a-z-]+$/) as string,
    });
    expect(collector.text).not.toContain('not a quote');
  });
});

describe('a collector that is lost', () => {
  it.each(['refusing', 'silent'] as const)('is missed by no one while it is %s', async (mood) => {
    collector.mood = mood;
    const before = collector.posts;
    await carriedThrough(await place(''));
    await until(() => expect(collector.posts).toBeGreaterThan(before));
  });

  it('holds up no drain', async () => {
    expect(collector.mood).toBe('silent');
    await running.stop();
  });
});
