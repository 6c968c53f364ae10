import type { RequestQuotePayload } from '@ponte/contracts';
import {
  CheckQuoteFor,
  ExplainQuote,
  GetLimits,
  GetPairs,
  NO_CHARGES,
  OrderPlaced,
  PAIRS,
  PriceQuote,
} from '@ponte/contracts';
import { causedBy, NO_STREAM, toAppend } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { Policies } from '@ponte/nest';
import { policiesOf } from '@ponte/nest';
import { eventually } from '@ponte/testing';
import { asking, context, fresh, fx, NOON, PricingUnderTest } from './testing/pricing-under-test';

const pricing = new PricingUnderTest();
beforeAll(() => pricing.start());
afterAll(async () => {
  await pricing.stop();
  pricing.folder.remove();
});

describe('pricing over the bus, on the embedded engines', () => {
  it('returns a quote once it is durable, and finds it again after a restart', async () => {
    const payload = asking();
    const answer = await pricing.request(payload);
    expect(answer).toMatchObject({
      quoteId: payload.quoteId,
      state: 'open',
      orderId: null,
      targetAmount: '100.000000000000000000',
      createdAt: '2026-05-13T14:00:00.000Z',
    });
    await pricing.stop();
    await pricing.start();
    expect(await pricing.stored(payload.quoteId)).toEqual(answer);
    expect(await pricing.stored(fresh())).toBeNull();
  });

  it('executes a repeated command once even if the rate changes, and refuses another command with its id', async () => {
    const [payload, once] = [fx(), context()];
    const first = await pricing.request(payload, once);
    pricing.time.now += 20_000;
    expect(await pricing.request(payload, once)).toEqual(first);
    expect(await pricing.streamOf(payload.quoteId)).toHaveLength(1);
    await expect(pricing.request(payload, context())).rejects.toMatchObject({ code: 'idempotency-key-reused' });
    pricing.time.now += 40_000;
    expect(await pricing.request(payload, once)).toEqual({ ...first, state: 'expired' });
    pricing.time.now = NOON;
  });

  it.each(['implausible 0', 'unconfirmed 0', 'market_open 1'])('reports ponte_rate_%s', async (reported) => {
    expect(await pricing.engines.metrics.registry.metrics()).toContain(`\nponte_rate_${reported}\n`);
  });

  it('explains a quote from its stream, and returns nothing for one that was not issued', async () => {
    const { quoteId, ...quoted } = await pricing.request(fx({ sourceAmount: '1000.00' }));
    const explained = await pricing.engines.bus.request(ExplainQuote, { quoteId, accountId: 'partner' }, context());
    expect(explained).toMatchObject({
      quote: { quoteId, targetAmount: quoted.targetAmount },
      inputs: { givenAmount: '1000.00', rates: [{ of: 'usd-brl', source: 'seeded' }, { of: 'reference' }] },
    });
    expect(explained?.steps.at(-1)).toEqual({ name: 'VET', formula: 'floor10(S/T)', value: quoted.vet.amount });
    expect(await pricing.engines.bus.request(ExplainQuote, { quoteId, accountId: null }, context())).toEqual(explained);
    expect(await pricing.engines.bus.request(ExplainQuote, { quoteId, accountId: 'child' }, context())).toBeNull();
    expect(
      await pricing.engines.bus.request(ExplainQuote, { quoteId: fresh(), accountId: null }, context()),
    ).toBeNull();
  });

  it('prices or refuses a dry run as it would the request, and writes nothing', async () => {
    const payload = fx();
    const { quoteId: _, ...dry } = await pricing.engines.bus.request(PriceQuote, payload, context());
    expect(await pricing.stored(payload.quoteId)).toBeNull();
    expect(await pricing.streamOf(payload.quoteId)).toEqual([]);
    expect(await pricing.request(payload)).toMatchObject(dry);
    await expect(
      pricing.engines.bus.request(PriceQuote, asking({ sourceAmount: '0.10' }), context()),
    ).rejects.toMatchObject({
      code: 'amount-below-minimum',
    });
    await expect(
      pricing.engines.bus.request(PriceQuote, asking({ accountId: 'frozen' }), context()),
    ).rejects.toMatchObject({
      code: 'account-not-active',
    });
  });

  it('prices 64 concurrent commands', async () => {
    const answers = await Promise.all(Array.from({ length: 64 }, () => pricing.request(fx())));
    expect(new Set(answers.map((one) => one.quoteId)).size).toBe(64);
    expect(new Set(answers.map((one) => one.targetAmount)).size).toBe(1);
  });

  it.each<[string, Partial<RequestQuotePayload>, string]>([
    ['a broken rule', { sourceAmount: '0.10' }, 'amount-below-minimum'],
    ['a frozen account', { accountId: 'frozen' }, 'account-not-active'],
    ['an account that is not open yet', { accountId: 'unknown' }, 'account-not-active'],
  ])('writes nothing for %s', async (_, more, code) => {
    const payload = asking(more);
    await expect(pricing.request(payload)).rejects.toMatchObject({ code });
    expect(await pricing.streamOf(payload.quoteId)).toEqual([]);
  });

  it('records the acceptance of OrderPlaced once, however often the event is repeated', async () => {
    const { quoteId } = await pricing.request(asking());
    const orderId = derivedId('order', quoteId);
    const placed = new OrderPlaced({
      orderId,
      quoteId,
      accountId: 'partner',
      parentId: null,
      createdBy: 'ak_test_1',
      externalId: null,
      createdAt: '2026-05-13T14:00:01.000Z',
      sourceAsset: 'fiat/brl',
      targetAsset: 'eth-base/brlv',
      sourceAmount: '100.00',
      targetAmount: '100.000000000000000000',
      baseRate: '1.0000000000',
      effectiveRate: '1.0000000000',
      feeAmount: '0.00',
      feeAsset: 'fiat/brl',
      rateLock: null,
      sourceWalletAddress: null,
      charges: NO_CHARGES,
      settlement: 'mint',
      pixDelivery: null,
      target: { address: '0x', custody: true },
      funding: { kind: 'account-balance', holdId: 'h' },
    });
    const [event] = toAppend([placed], [OrderPlaced], context(), '2026-05-13T14:00:01.000Z');
    if (!event) throw new Error('no event');
    await pricing.engines.store.append(`order-${orderId}`, NO_STREAM, [event]);
    await eventually(async () => expect(await pricing.stored(quoteId)).toMatchObject({ state: 'accepted', orderId }));
    const [, accepted] = await pricing.streamOf(quoteId);
    expect(accepted).toMatchObject({ type: 'QuoteAccepted', data: { acceptedAt: '2026-05-13T14:00:01.000Z' } });
    expect(accepted?.meta.commandId).toBe(causedBy(event, 'accept-quote', 'any').commandId);
    const [reported] = await pricing.engines.store.read(`order-${orderId}`);
    if (!reported) throw new Error('no order');
    for (let times = 0; times < 3; times += 1)
      await pricing.app.get<Policies>(policiesOf('pricing')).dispatch(reported);
    expect(await pricing.streamOf(quoteId)).toHaveLength(2);
    pricing.time.now += 3_600_000;
    expect((await pricing.stored(quoteId))?.state).toBe('accepted');
    pricing.time.now = NOON;
  });

  it('checks a v0 quote again for a sub-account', async () => {
    const { quoteId } = await pricing.request(
      fx({ scope: 'family', tradeReason: 'international-travels', rateLock: '1h' }),
    );
    const check = (accountId: string, id = quoteId) =>
      pricing.engines.bus.request(CheckQuoteFor, { quoteId: id, accountId }, context());
    expect(await check('partner')).toEqual({ ok: true });
    await expect(check('child')).rejects.toMatchObject({
      violations: [{ code: 'trade-reason-not-enabled' }, { code: 'rate-lock-not-enabled' }],
    });
    await expect(check('frozen')).rejects.toMatchObject({ code: 'account-not-active' });
    await expect(check('unknown')).rejects.toMatchObject({ code: 'account-not-active' });
    await expect(check('partner', fresh())).rejects.toMatchObject({ code: 'quote-not-found' });
  });

  it('returns the limits', async () => {
    const { limits } = await pricing.engines.bus.request(GetLimits, { accountId: 'partner' }, context());
    expect(limits[0]).toEqual({
      sourceAsset: 'fiat/brl',
      targetAsset: 'tempo/brlv',
      side: 'source',
      asset: 'fiat/brl',
      minimum: '1.00',
      maximum: '10000000.00',
    });
    expect(limits).toHaveLength(2 * PAIRS.length);
  });

  it('lists the pairs that it quotes, with their validity and rate locks', async () => {
    const { pairs } = await pricing.engines.bus.request(GetPairs, {}, context());
    expect(pairs.map(({ source, target }) => [source, target])).toEqual(
      PAIRS.map(({ source, target }) => [source, target]),
    );
    expect(pairs[0]).toMatchObject({
      conversion: 'same-currency',
      validitySeconds: 900,
      rateLocks: [],
      sourceWallet: 'none',
    });
    expect(pairs.find(({ target }) => target === 'eth-base/usdc')).toMatchObject({
      conversion: 'fx',
      validitySeconds: 60,
      rateLocks: expect.arrayContaining([{ name: '5m', seconds: 300 }]) as unknown,
    });
  });
});
