import { randomBytes } from 'node:crypto';
import type { Order } from './testing/customer';
import { SUITE_MS } from './testing/program';
import { until } from './testing/waiting';
import { requestId, startTracedSuite } from './testing/traced-orders';

jest.setTimeout(SUITE_MS);

const SAMPLED = '01';
const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

type Traced = Awaited<ReturnType<typeof startTracedSuite>>;
let suite: Traced['suite'];
let running: Traced['running'];
let customer: Traced['customer'];
let collector: Traced['collector'];
let orders: Traced['orders'];

beforeAll(async () => {
  ({ suite, running, customer, collector, orders } = await startTracedSuite());
});
afterAll(() => suite.close());

it('an order by brcode is one trace, although the bank reports its payment', async () => {
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

describe("a caller's traceparent", () => {
  it.each([
    ['nothing', ''],
    ['nonsense', 'nonsense'],
    ['no trace id', `00-${'0'.repeat(32)}-${hex(8)}-01`],
    ['no span id', `00-${hex(16)}-${'0'.repeat(16)}-01`],
    ['an unknown version', `ff-${hex(16)}-${hex(8)}-01`],
    ['upper case', `00-${'AB'.repeat(16)}-${hex(8)}-01`],
    ['more fields than version 00 has', `00-${hex(16)}-${hex(8)}-01-x`],
    ['a very long value', 'x'.repeat(4_000)],
  ])('is ignored when it is invalid: %s', async (_what, traceparent) => {
    const accepted = await orders.place(traceparent);
    expect(accepted.status).toBe(200);
    const root = await until(() => {
      const found = orders.rootOf(requestId(accepted));
      if (!found) throw new Error('the span has not arrived');
      return found;
    });
    expect(root.parentSpanId ?? '').toBe('');
    expect(root.traceId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('cannot keep a request out of the traces, because the gateway decides', async () => {
    const traceId = hex(16);
    await orders.place(`00-${traceId}-${hex(8)}-00`);
    await until(() => expect(collector.spans.some((span) => span.traceId === traceId)).toBe(true));
  });
});

describe('a refusal', () => {
  it('has a span with its code but not with its input', async () => {
    const answer = await customer.api.send('POST', customer.path('/orders'), { 'quote-id': 'not a quote' });
    expect(answer.status).toBe(400);
    const root = await until(() => {
      const found = orders.rootOf(requestId(answer));
      if (!found) throw new Error('the span has not arrived');
      return found;
    });
    expect(root.attributes).toMatchObject({
      'http.response.status_code': 400,
      'ponte.error.code': expect.stringMatching(/^[a-z-]+$/) as string,
    });
    expect(collector.text).not.toContain('not a quote');
  });
});

describe('a lost collector', () => {
  it.each(['refusing', 'silent'] as const)('does not affect orders while it is %s', async (mood) => {
    collector.mood = mood;
    const before = collector.posts;
    await orders.expectCompleted(await orders.place(''));
    await until(() => expect(collector.posts).toBeGreaterThan(before));
  });

  it('does not delay the shutdown', async () => {
    expect(collector.mood).toBe('silent');
    await running.stop();
  });
});
