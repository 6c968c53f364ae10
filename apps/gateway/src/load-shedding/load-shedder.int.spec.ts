import 'reflect-metadata';
import { PlaceOrder, RequestQuote } from '@ponte/contracts';
import { type GatewayUnderTest, startGateway } from '../testing/gateway-under-test';
import { CHILD } from '../testing/accounts';
import { KEY } from '../testing/api-keys';
import { SAMPLE } from '../api/samples';
import { readGatewaySettings } from '../gateway.config';
import { LoadShedder } from './load-shedder';

const [QUOTES, ORDERS] = [`/api/v1/accounts/${CHILD}/quotes`, `/api/v1/accounts/${CHILD}/orders`];
const QUOTE = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '100.00' };
const REQUESTS = 40;

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const send = (method: 'GET' | 'POST', url: string, payload?: object, key?: string) =>
  gateway.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${KEY.partner}`, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    ...(payload ? { payload } : {}),
  });
const many = (send: (at: number) => ReturnType<typeof gateway.app.inject>) =>
  Promise.all(Array.from({ length: REQUESTS }, (_, at) => send(at)));
const shedPriority = (answers: { statusCode: number }[]): number =>
  answers.filter(({ statusCode }) => statusCode === 503).length;
const requestCount = (pattern: string): number => gateway.bus.requests.filter((one) => one.pattern === pattern).length;
const series = async (name: string): Promise<string | undefined> =>
  (await gateway.engines.metrics.registry.metrics())
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1);

/** Keeps the outbox this far behind for this many seconds, in each of which a caller requests a quote. */
async function behind(behindMs: number, seconds: number): Promise<void> {
  const loadShedder = gateway.app.get(LoadShedder);
  for (let second = 0; second < seconds; second += 1) {
    await gateway.engines.backlogs.report({ reader: 'outbox', behindMs });
    await send('POST', QUOTES, QUOTE);
    await loadShedder.check();
  }
}

test('while readers are behind, only quotes are shed, with 503 and Retry-After, and the same key can be used for the retry', async () => {
  await behind(30_000, 15);
  const before = requestCount(RequestQuote.pattern);
  const quotes = await many((at) => send('POST', QUOTES, QUOTE, `quote-${at}`));
  const reported = quotes.filter(({ statusCode }) => statusCode === 503);
  expect(reported.length).toBeGreaterThan(REQUESTS / 4);
  expect(reported.length).toBeLessThan(REQUESTS);
  expect(requestCount(RequestQuote.pattern) - before).toBe(REQUESTS - reported.length);
  for (const { headers, body } of reported) {
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(2);
    expect(JSON.parse(body)).toEqual({
      error: {
        type: 'service',
        code: 'service-unavailable',
        message: 'The service is busy with accepted work. It is safe to retry with the same Idempotency-Key.',
      },
    });
  }
  expect(await series('ponte_gateway_shed_share{kind="last"}')).toBe('0');
  expect(Number(await series('ponte_gateway_shed_share{kind="first"}'))).toBeGreaterThan(0.25);
  expect(Number(await series('ponte_gateway_shed_total{operation="create-quote"}'))).toBeGreaterThanOrEqual(
    reported.length,
  );
  expect(shedPriority(await many(() => send('POST', ORDERS, { 'quote-id': SAMPLE.quoteId })))).toBe(0);
  for (let tries = 0, at = quotes.findIndex(({ statusCode }) => statusCode === 503); ; tries += 1) {
    const again = await send('POST', QUOTES, QUOTE, `quote-${at}`);
    expect([200, 503]).toContain(again.statusCode);
    if (again.statusCode === 200) break;
    expect(tries).toBeLessThan(REQUESTS);
  }
});

test('if that is not enough, orders are shed too, but reads are not', async () => {
  await behind(60_000, 40);
  const before = requestCount(PlaceOrder.pattern);
  const refused = shedPriority(await many(() => send('POST', ORDERS, { 'quote-id': SAMPLE.quoteId })));
  expect(refused).toBeGreaterThan(REQUESTS / 4);
  expect(requestCount(PlaceOrder.pattern) - before).toBe(REQUESTS - refused);
  expect(shedPriority(await many(() => send('GET', ORDERS)))).toBe(0);
});

test('the setting is in whole seconds, and 0 disables shedding', () => {
  const of = (value: string) => readGatewaySettings({ BACKLOG_SECONDS: value }, 'sandbox').backlogMs;
  expect([of(''), of('0'), of('60')]).toEqual([10_000, 0, 60_000]);
  for (const wrong of ['-1', '1.5', 'ten', '3601']) expect(() => of(wrong)).toThrow('BACKLOG_SECONDS');
});
