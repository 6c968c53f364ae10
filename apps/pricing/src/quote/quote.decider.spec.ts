import { QuoteAccepted, QuoteIssued } from '@ponte/contracts';
import { scenario, StateBehindEvent } from '@ponte/event-sourcing';
import defaultRules from '../default-rules.json';
import { readRules } from '../rules/read-rules.domain';
import { BRL } from '../price/conversion.domain';
import { priceQuote } from '../price/price-quote.domain';
import { quote, recordOf } from './quote.decider';
import { NOON, rate, market, facts, asking, fx, refusal, withAccount } from './quote-requests.testing';

describe('a quote', () => {
  it('has the complete record of an FX purchase, as in the worked case of the pricing rules', () => {
    expect(priceQuote(asking(BRL, 'eth-base/usdc', { sourceAmount: '1000', ...fx }), facts)).toEqual({
      quoteId: 'q',
      accountId: 'a',
      scope: 'account',
      sourceAsset: 'fiat/brl',
      targetAsset: 'eth-base/usdc',
      sourceAmount: '1000.00',
      targetAmount: '185.364712',
      givenSide: 'source',
      createdAt: '2026-05-13T14:00:00.000Z',
      expiresAt: '2026-05-13T14:01:00.000Z',
      pricing: {
        baseRate: { amount: '5.3412000000', base: 'USDC', quote: 'BRL' },
        spread: { amount: '7.93', asset: 'fiat/brl', bps: 80 },
        fee: { amount: '2.00', asset: 'fiat/brl', kind: 'fixed' },
        iof: { amount: '0.00', asset: 'fiat/brl', applicable: false, basisRef: 'psav-res-521-2025' },
      },
      offMarketPricing: false,
      vet: { amount: '5.3947700682', base: 'USDC', quote: 'BRL' },
      tradeReason: 'transfer-between-same-entity-accounts',
      rateLock: null,
      inputs: expect.anything() as unknown,
    });
  });

  it('records a missing reference, and the block of a price from the chain', () => {
    const buy = asking(BRL, 'eth-base/usdc', { sourceAmount: '1000', ...fx });
    const missing = priceQuote(buy, { ...facts, market: { ...market, reference: null } });
    expect(missing).toMatchObject({ offMarketPricing: true, inputs: { referenceMissing: true } });
    expect(missing.inputs.rates.map(({ of }) => of)).toEqual(['usd-brl']);
    expect(priceQuote(buy, facts).inputs).not.toHaveProperty('referenceMissing');
    const sharePrice = { rate: rate('wBRLY', '1.05'), observedAt: NOON, source: 'vault', blockNumber: '4711' };
    const shares = asking(BRL, 'eth-base/wbrly', { sourceAmount: '10' });
    expect(priceQuote(shares, { ...facts, market: { sharePrice } }).inputs.rates).toMatchObject([
      { of: 'share-price', source: 'vault', blockNumber: '4711' },
    ]);
  });

  it('in the same currency has 15 minutes, bps 0, fee and IOF 0.00 and rate 1, and ignores a trade reason', () => {
    const terms = priceQuote(
      asking(BRL, 'eth-base/brlv', { sourceAmount: '1.00', tradeReason: 'international-travels' }),
      { ...facts, ...withAccount('active') },
    );
    expect(terms).toMatchObject({
      expiresAt: '2026-05-13T14:15:00.000Z',
      tradeReason: null,
      offMarketPricing: false,
      vet: { amount: '1.0000000000', base: 'BRLV', quote: 'BRL' },
      pricing: {
        baseRate: { amount: '1.0000000000', base: 'BRLV', quote: 'BRL' },
        spread: { amount: '0.00', bps: 0 },
        fee: { amount: '0.00' },
        iof: { amount: '0.00', applicable: false },
      },
    });
  });

  it('with a rate lock is valid for longer, with the premium added to its spread', () => {
    const terms = priceQuote(asking(BRL, 'eth-base/usdc', { sourceAmount: '1000', rateLock: '1h', ...fx }), facts);
    expect(terms).toMatchObject({
      rateLock: '1h',
      expiresAt: '2026-05-13T15:00:00.000Z',
      pricing: { spread: { bps: 105, amount: '10.38' } },
    });
  });

  it('has the IOF of the row for its direction, from the date of the row on', () => {
    const taxed = readRules({
      ...defaultRules,
      iof: defaultRules.iof.map((row) => (row.applicable ? { ...row, 'valid-from': '2026-05-13T14:00:00.000Z' } : row)),
    });
    const buy = asking(BRL, 'eth-base/usdc', { sourceAmount: '1000', ...fx });
    expect(priceQuote(buy, { ...facts, rules: taxed })).toMatchObject({
      targetAmount: '179.096457',
      pricing: { iof: { amount: '33.75', applicable: true, basisRef: 'decreto-6306-2007-art-15b-xxi' } },
    });
    expect(
      priceQuote(asking('eth-base/usdc', BRL, { sourceAmount: '100', ...fx }), { ...facts, rules: taxed }).pricing.iof
        .amount,
    ).toBe('2.02');
    expect(priceQuote(buy, { ...facts, rules: taxed, now: NOON - 1 }).pricing.iof.applicable).toBe(false);
    expect(
      priceQuote(asking(BRL, 'eth-base/brlv', { sourceAmount: '1000' }), { ...facts, rules: taxed }).pricing.iof
        .applicable,
    ).toBe(false);
  });
});

describe('a pair that cannot be ordered', () => {
  it('is not quoted, although it has a price', () => {
    expect(
      refusal(asking(BRL, 'eth-base/usdc', { sourceAmount: '1000', ...fx }), { isOrderable: () => false }),
    ).toEqual(['asset-pair-not-supported target-asset']);
    expect(
      refusal(asking(BRL, 'eth-base/usdc', { sourceAmount: '1000', ...fx }), {
        isOrderable: (_, target) => target === 'eth-base/usdc',
      }),
    ).toEqual([]);
  });
});

describe('the stream of a quote', () => {
  const terms = priceQuote(asking(BRL, 'eth-base/brlv', { sourceAmount: '5' }), facts);
  const [issued, accepted] = [
    new QuoteIssued(terms),
    new QuoteAccepted({ quoteId: 'q', orderId: 'o', acceptedAt: terms.createdAt }),
  ];
  const accept = { kind: 'record-acceptance', quoteId: 'q', orderId: 'o', acceptedAt: terms.createdAt } as const;

  it('moves from open to accepted, once', () => {
    scenario(quote).given().when({ kind: 'issue', terms }).then(issued);
    scenario(quote).given(issued).when(accept).then(accepted);
    scenario(quote).given(issued, accepted).when(accept).then();
    expect(scenario(quote).given(issued).when({ kind: 'issue', terms }).refusal()).toMatchObject({
      code: 'idempotency-key-reused',
    });
    expect(() =>
      quote.decide({ ...accept, orderId: 'other' }, scenario(quote).given(issued, accepted).state()),
    ).toThrow('cannot change');
    expect(() => quote.decide(accept, quote.initial)).toThrow(StateBehindEvent);
  });

  it('is valid while now < expires-at', () => {
    const open = scenario(quote).given(issued).state();
    expect(recordOf(open, '2026-05-13T14:14:59.999Z')).toMatchObject({ state: 'open', orderId: null });
    expect(recordOf(open, '2026-05-13T14:15:00.000Z')).toMatchObject({ state: 'expired' });
    expect(recordOf(scenario(quote).given(issued, accepted).state(), '2027-01-01T00:00:00.000Z')).toMatchObject({
      state: 'accepted',
      orderId: 'o',
    });
    expect(recordOf(quote.initial, terms.createdAt)).toBeNull();
  });
});
