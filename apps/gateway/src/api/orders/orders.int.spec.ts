import 'reflect-metadata';
import type { OrderRecord } from '@ponte/contracts';
import { GetOrder, ListOrders, PlaceOrder, RequestQuote } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import { CHILD, PARTNER } from '../../testing/accounts';
import { orderRecord } from '../../testing/records/records';
import { SAMPLE } from '../samples';
import type { OrderDto } from './order.dto';
import { KEY } from '../../testing/api-keys';
import { as, lastRequest, gateway, get, post, useTestGateway } from '../../testing/route-requests';

useTestGateway();

describe('the request to a service', () => {
  it('for a quote has the account of the path, the amounts as sent, a deadline and the actor', async () => {
    const answer = await post(`/api/v1/accounts/${CHILD}/quotes`, {
      'source-asset': 'fiat/brl',
      'target-asset': 'eth-base/usdc',
      'target-amount': '10.5',
      'trade-reason': 'international-travels',
      'rate-lock': '5m',
    });
    const { payload, context } = gateway.bus.requestsOf(RequestQuote).at(-1) ?? {};
    expect(payload).toEqual({
      quoteId: (answer.json() as { id: string }).id,
      accountId: CHILD,
      scope: 'account',
      sourceAsset: 'fiat/brl',
      targetAsset: 'eth-base/usdc',
      sourceAmount: null,
      targetAmount: '10.5',
      tradeReason: 'international-travels',
      rateLock: '5m',
    });
    expect(context).toMatchObject({
      correlationId: answer.headers['x-request-id'],
      actor: `ak_test_${'a'.repeat(24)}`,
    });
    expect(answer.json()).toMatchObject({
      'trade-reason': 'international-travels',
      'trade-reason-code': '32999',
      'rate-lock': '5m',
    });
  });

  it('for an order has caller and account, and account-balance by default, which returns no brcode', async () => {
    const answer = await post(`/api/v1/accounts/${CHILD}/orders`, {
      'quote-id': SAMPLE.quoteId,
      'external-id': 'invoice-1',
    });
    expect(lastRequest(PlaceOrder)?.payload).toEqual({
      callerAccountId: PARTNER,
      accountId: CHILD,
      quoteId: SAMPLE.quoteId,
      sourceWalletAddress: null,
      targetWalletAddress: null,
      targetEndUserPixKey: null,
      sourcePaymentMethod: 'account-balance',
      externalId: 'invoice-1',
      keyHash: null,
    });
    const { order } = answer.json() as { order: Record<string, unknown> };
    expect(order).not.toHaveProperty('brcode');
    expect(order).toMatchObject({ 'tx-hash': null, 'external-id': 'invoice-1' });
  });

  // After a failure without a stored response, the service decides whether the key may place an order of another quote.
  it('for an order names its key by caller, account and operation, also for another quote', async () => {
    const keyHash = () => (lastRequest(PlaceOrder)?.payload as { keyHash: string | null }).keyHash;
    const place = async (path: string, quoteId: string, key: string) => {
      await post(path, { 'quote-id': quoteId }, { ...as(KEY.partner), 'idempotency-key': key });
      return keyHash();
    };
    gateway.bus.on(PlaceOrder, () => {
      throw new Unavailable('service-unavailable');
    });
    const first = await place(`/api/v1/accounts/${PARTNER}/orders`, SAMPLE.quoteId, 'one');
    expect(first).toEqual(expect.any(String));
    expect(await place(`/api/v1/accounts/${PARTNER}/orders`, SAMPLE.orderId, 'one')).toBe(first);
    expect(await place('/api/v0/orders', SAMPLE.quoteId, 'one')).toBe(first);
    expect(await place(`/api/v1/accounts/${CHILD}/orders`, SAMPLE.quoteId, 'one')).not.toBe(first);
    expect(await place(`/api/v1/accounts/${PARTNER}/orders`, SAMPLE.quoteId, 'two')).not.toBe(first);
  });

  it('for an order shows its deposit and its withdrawal: null until they are known, absent if they do not apply', async () => {
    const shown = async (record: Partial<OrderRecord> & { sourcePaymentMethod?: 'brcode' }) => {
      gateway.bus.on(GetOrder, () => orderRecord(record));
      const answer = await get(`/api/v1/accounts/${CHILD}/orders/${SAMPLE.orderId}`);
      const { 'deposit-id': deposit, 'withdrawal-id': withdrawal } = answer.json<{ order: OrderDto }>().order;
      return [deposit, withdrawal];
    };
    const brcode = { sourcePaymentMethod: 'brcode' } as const;
    const [depositId, withdrawalId] = [SAMPLE.depositId, SAMPLE.withdrawalId];
    expect(await shown({})).toEqual([undefined, undefined]);
    expect(await shown(brcode)).toEqual([null, undefined]);
    expect(await shown({ ...brcode, state: 'processing', depositId })).toEqual([depositId, undefined]);
    expect(await shown({ ...brcode, state: 'rolled-back', depositId })).toEqual([depositId, undefined]);
    expect(await shown({ ...brcode, state: 'rolled-back' })).toEqual([undefined, undefined]);
    const delivery = { state: 'pending', reason: null } as const;
    expect(await shown({ delivery })).toEqual([undefined, null]);
    expect(await shown({ delivery, withdrawalId })).toEqual([undefined, withdrawalId]);
  });

  it('for a list shows the images of codes that can still be paid, and for one order always', async () => {
    const states = ['created', 'processing', 'completed', 'rolled-back'] as const;
    const records = states.map((state) => ({ ...orderRecord({ sourcePaymentMethod: 'brcode' }), state }));
    gateway.bus.on(ListOrders, () => ({ items: records, next: null }));
    gateway.bus.on(GetOrder, () => records[2] ?? null);
    const { orders } = (await get(`/api/v1/accounts/${CHILD}/orders`)).json<{ orders: OrderDto[] }>();
    expect(orders.map(({ brcode }) => brcode)).toEqual(states.map(() => SAMPLE.brcode));
    const { order } = (await get(`/api/v1/accounts/${CHILD}/orders/${SAMPLE.orderId}`)).json<{ order: OrderDto }>();
    const image = order['qr-code-base64'];
    expect(image).toEqual(expect.any(String));
    expect(orders.map((one) => one['qr-code-base64'])).toEqual([image, undefined, undefined, undefined]);
  });

  it('for a funding code results in a QR code as plain base64 of a PNG', async () => {
    const answer = await get(`/api/v1/accounts/${PARTNER}/deposits/pix`);
    expect(answer.json()).toEqual({
      asset: 'brl',
      type: 'pix',
      brcode: SAMPLE.brcode,
      'qr-code-base64': expect.any(String) as string,
    });
    const png = Buffer.from((answer.json() as { 'qr-code-base64': string })['qr-code-base64'], 'base64');
    expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    expect(png.toString('latin1')).toContain('IHDR');
    expect((await get(`/api/v1/accounts/${PARTNER}/assets/brl/deposits/pix`)).statusCode).toBe(404);
  });
});
