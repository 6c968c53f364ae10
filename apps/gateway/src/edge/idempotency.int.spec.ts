import 'reflect-metadata';
import { CreateWebhookEndpoint, PlaceOrder, RequestQuote } from '@ponte/contracts';
import { Unavailable, refusal } from '@ponte/kernel';
import { orderRecord } from '../testing/records/records';
import { CHILD, PARTNER } from '../testing/accounts';
import { KEY } from '../testing/api-keys';
import { codeOf } from '../testing/use-gateway';
import { SAMPLE } from '../api/samples';
import { ORDERS, QUOTE, QUOTES, gateway, post, useTestGateway } from './testing/edge-requests';

useTestGateway();

describe('idempotency', () => {
  it('returns the stored response for the same key and body, even with the fields in another order', async () => {
    const headers = { 'idempotency-key': 'k-1' };
    const first = await post(QUOTES, QUOTE, headers);
    const requestCount = gateway.bus.requestsOf(RequestQuote).length;
    const again = await post(
      QUOTES,
      { 'target-asset': 'eth-base/brlv', 'source-amount': '100.00', 'source-asset': 'fiat/brl' },
      headers,
    );
    expect([again.statusCode, again.body, again.headers['idempotency-replayed']]).toEqual([
      first.statusCode,
      first.body,
      'true',
    ]);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(gateway.bus.requestsOf(RequestQuote)).toHaveLength(requestCount);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(codeOf(await post(QUOTES, { ...QUOTE, 'source-amount': '100' }, headers))).toBe(
      '422 idempotency-key-reused',
    );
  });

  it('scopes a key by caller, account and operation', async () => {
    const headers = { 'idempotency-key': 'k-1' };
    expect(
      (await post(`/api/v1/accounts/${PARTNER}/quotes`, QUOTE, headers)).headers['idempotency-replayed'],
    ).toBeUndefined();
    expect((await post('/api/v0/quotes', QUOTE, headers)).headers['idempotency-replayed']).toBe('true');
    expect(
      (await post('/api/v0/quotes', QUOTE, { ...headers, authorization: `Bearer ${KEY.child}` })).headers[
        'idempotency-replayed'
      ],
    ).toBeUndefined();
    expect(codeOf(await post(ORDERS, { 'quote-id': SAMPLE.quoteId }, headers))).toBe('200');
  });

  it('responds 409 while the first request is running, and keeps the command id however late the retry', async () => {
    const gate: { open: () => void } = { open: () => undefined };
    const opened = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    const began: { done: () => void } = { done: () => undefined };
    const running = new Promise<void>((resolve) => {
      began.done = resolve;
    });
    gateway.bus.on(PlaceOrder, async (payload) => {
      began.done();
      await opened;
      return orderRecord(payload);
    });
    const headers = { 'idempotency-key': 'k-2' };
    const body = { 'quote-id': SAMPLE.quoteId };
    const first = post(ORDERS, body, headers);
    await running;
    const twin = await post(ORDERS, body, headers);
    expect([codeOf(twin), twin.headers['retry-after']]).toEqual(['409 idempotency-in-progress', '1']);
    expect(codeOf(await post(ORDERS, { 'quote-id': SAMPLE.orderId }, headers))).toBe('422 idempotency-key-reused');
    gate.open();
    await first;
    gateway.clock.offset = 25 * 3_600_000;
    expect((await post(ORDERS, body, headers)).headers['idempotency-replayed']).toBeUndefined();
    gateway.clock.offset = 0;
    const ids = gateway.bus
      .requestsOf(PlaceOrder)
      .slice(-2)
      .map(({ context }) => context.commandId);
    expect(ids[0]).toBe(ids[1]);
  });

  it('does not store that a key is in use elsewhere, so that another body can be sent with it', async () => {
    const headers = { 'idempotency-key': 'k-6' };
    gateway.bus.on(PlaceOrder, () => {
      throw refusal('idempotency-in-progress', 'another request may still place an order');
    });
    const early = await post(ORDERS, { 'quote-id': SAMPLE.quoteId }, headers);
    expect([codeOf(early), early.headers['retry-after']]).toEqual(['409 idempotency-in-progress', '1']);
    gateway.bus.on(PlaceOrder, (payload) => orderRecord(payload));
    const late = await post(ORDERS, { 'quote-id': SAMPLE.orderId }, headers);
    expect([codeOf(late), late.headers['idempotency-replayed']]).toEqual(['200', undefined]);
  });

  it('does not store that the key belongs to another body, so that a repeat of the first body is still answered', async () => {
    const headers = { 'idempotency-key': 'k-7' };
    // The response to the first request is not stored any more: only the service knows what the key has created.
    gateway.bus.on(PlaceOrder, (payload) => {
      if (payload.quoteId !== SAMPLE.quoteId)
        throw refusal('idempotency-key-reused', 'the key belongs to another body');
      return orderRecord(payload);
    });
    expect(codeOf(await post(ORDERS, { 'quote-id': SAMPLE.orderId }, headers))).toBe('422 idempotency-key-reused');
    expect(codeOf(await post(ORDERS, { 'quote-id': SAMPLE.quoteId }, headers))).toBe('200');
  });

  it('stores only 2xx and 422, and frees the key after any other response', async () => {
    const headers = { 'idempotency-key': 'k-3' };
    const answers = [
      () => {
        throw new Unavailable('rail-unavailable');
      },
      () => {
        throw refusal('too-many-pix-key-look-ups', 'too many look-ups');
      },
      () => {
        throw new Error('x');
      },
      () => {
        throw refusal('account-not-active', 'no');
      },
      () => {
        throw refusal('quote-expired', 'late');
      },
    ];
    const codes: string[] = [];
    for (const answer of answers) {
      gateway.bus.on(PlaceOrder, answer);
      codes.push(codeOf(await post(ORDERS, { 'quote-id': SAMPLE.quoteId }, headers)));
    }
    gateway.bus.on(PlaceOrder, (payload) => orderRecord(payload));
    expect(codes).toEqual([
      '503 rail-unavailable',
      '429 too-many-pix-key-look-ups',
      '500 internal-error',
      '403 account-not-active',
      '422 quote-expired',
    ]);
    const replay = await post(ORDERS, { 'quote-id': SAMPLE.quoteId }, headers);
    expect([codeOf(replay), replay.headers['idempotency-replayed']]).toEqual(['422 quote-expired', 'true']);
  });

  it('processes one of 64 concurrent requests with the same key', async () => {
    const before = gateway.bus.requestsOf(PlaceOrder).length;
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => post(ORDERS, { 'quote-id': SAMPLE.quoteId }, { 'idempotency-key': 'k-4' })),
    );
    expect(gateway.bus.requestsOf(PlaceOrder).length - before).toBe(1);
    expect(
      new Set(answers.map((answer) => codeOf(answer)).filter((code) => code !== '409 idempotency-in-progress')),
    ).toEqual(new Set(['200']));
  });

  it('gives every command without a key its own id', async () => {
    await Promise.all([post(QUOTES, QUOTE), post(QUOTES, QUOTE)]);
    const [a, b] = gateway.bus.requestsOf(RequestQuote).slice(-2);
    expect(a?.context.commandId).not.toBe(b?.context.commandId);
  });

  it('stores a response with a secret sealed', async () => {
    const finish = jest.spyOn(gateway.engines.edgeState, 'finish');
    const url = `/api/v1/accounts/${CHILD}/webhook-endpoints`;
    const first = await post(url, { url: 'https://a.example' }, { 'idempotency-key': 'k-5' });
    const again = await post(url, { url: 'https://a.example' }, { 'idempotency-key': 'k-5' });
    expect(finish.mock.calls.map(([, , { body }]) => body)).toEqual([expect.stringMatching(/^sealed:v1:/)]);
    finish.mockRestore();
    expect([again.statusCode, again.body]).toEqual([200, first.body]);
    expect(gateway.bus.requestsOf(CreateWebhookEndpoint)).toHaveLength(1);
  });
});
