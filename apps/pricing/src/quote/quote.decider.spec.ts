import fc from 'fast-check';
import type { AssetId } from '@ponte/kernel';
import { assetOf, formatDecimal, Rate, Refusal, Unavailable } from '@ponte/kernel';
import type { Pair, QuoteTerms, RequestQuotePayload } from '@ponte/contracts';
import { PAIRS, QuoteAccepted, QuoteIssued } from '@ponte/contracts';
import { scenario, StateBehindEvent } from '@ponte/event-sourcing';
import defaultRules from '../default-rules.json';
import type { Market } from '../market/market.domain';
import { readRules } from '../rules/read-rules.domain';
import { checkQuoteFor } from './check-quote.domain';
import { BRL } from '../price/conversion.domain';
import { limitsOf } from './limits.domain';
import type { PricingFacts } from '../price/price-quote.domain';
import { priceQuote } from '../price/price-quote.domain';
import { quote, recordOf } from './quote.decider';

/** A Wednesday, 11:00 in São Paulo. */
const NOON = Date.UTC(2026, 4, 13, 14);
const rules = readRules(defaultRules);
const rate = (base: string, text: string) => Rate.parse(base, 'BRL', text);
const market: Market = {
  usdBrl: { rate: rate('USD', '5.3412'), observedAt: NOON - 1000 },
  reference: { rate: rate('USD', '5.34'), observedAt: NOON, source: 'ptax' },
  sharePrice: { rate: rate('wBRLY', '1.0712345678'), observedAt: NOON },
};
const everything = ['international-travels', 'rate-lock-5m', 'rate-lock-30m', 'rate-lock-1h', 'rate-lock-24h'];
const facts: PricingFacts = {
  rules,
  market,
  account: { status: 'active', capabilities: everything },
  now: NOON,
  isOrderable: () => true,
};
const asking = (source: AssetId, target: AssetId, more: Partial<RequestQuotePayload> = {}): RequestQuotePayload => ({
  quoteId: 'q',
  accountId: 'a',
  scope: 'account',
  sourceAsset: source,
  targetAsset: target,
  sourceAmount: null,
  targetAmount: null,
  tradeReason: null,
  rateLock: null,
  ...more,
});
const fx = { tradeReason: 'transfer-between-same-entity-accounts' } as const;
const refusal = (request: RequestQuotePayload, changed: Partial<PricingFacts> = {}): string[] => {
  try {
    priceQuote(request, { ...facts, ...changed });
  } catch (error) {
    if (error instanceof Refusal)
      return error.violations.map((violation) => `${violation.code} ${violation.path}`.trim());
    throw error;
  }
  return [];
};
const withAccount = (status: 'active' | 'frozen' | 'closed', ...capabilities: string[]) => ({
  account: { status, capabilities },
});

describe('a quote', () => {
  it('has the whole record of an FX purchase: the worked case of the pricing rules', () => {
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

  it.each<[string, AssetId, AssetId, Partial<RequestQuotePayload>, string, string]>([
    ['every chain has BRLV at par', BRL, 'tempo/brlv', { sourceAmount: '100.5' }, '100.50', '100.500000000000000000'],
    ['at par, target given', BRL, 'eth-mainnet/brlv', { targetAmount: '7' }, '7.00', '7.000000000000000000'],
    [
      'a target of part centavos is cut to what whole centavos mint',
      BRL,
      'eth-base/brlv',
      { targetAmount: '10.019999' },
      '10.01',
      '10.010000000000000000',
    ],
    [
      'redeeming truncates the BRLV source to centavos',
      'eth-base/brlv',
      BRL,
      { sourceAmount: '10.019999999999999999' },
      '10.010000000000000000',
      '10.01',
    ],
    ['redeeming for a given target', 'tempo/brlv', BRL, { targetAmount: '10.01' }, '10.010000000000000000', '10.01'],
    [
      'excess decimals of a given amount are cut off',
      BRL,
      'eth-base/brlv',
      { sourceAmount: '10.019' },
      '10.01',
      '10.010000000000000000',
    ],
    ['wBRLY shares = ⌊BRL/pps⌋', BRL, 'eth-base/wbrly', { sourceAmount: '100.00' }, '100.00', '93.350236265592623457'],
    [
      'BRL = ⌊shares·pps⌋',
      'eth-base/wbrly',
      BRL,
      { sourceAmount: '93.350236265592623457' },
      '93.350236265592623457',
      '99.99',
    ],
    ['USDC sold, source given', 'eth-mainnet/usdc', BRL, { sourceAmount: '100', ...fx }, '100.000000', '527.84'],
    ['USDC sold, target given', 'eth-base/usdc', BRL, { targetAmount: '500', ...fx }, '94.744626', '500.00'],
    [
      'USDT bought, target given',
      BRL,
      'eth-mainnet/usdt',
      { targetAmount: '100.0000009', ...fx },
      '540.40',
      '100.000000',
    ],
    ['USDT sold', 'eth-base/usdt', BRL, { sourceAmount: '100', ...fx }, '100.000000', '527.84'],
  ])('%s', (_, source, target, given, sourceAmount, targetAmount) => {
    expect(priceQuote(asking(source, target, given), facts)).toMatchObject({ sourceAmount, targetAmount });
  });

  it('keeps the rates with their sources and times, and the rows of the rules, that it was computed from', () => {
    const readings = [
      {
        source: 'bank-a',
        rate: rate('USD', '5.3412'),
        observedAt: NOON - 1000,
        weight: 2,
        spreadBps: 3,
        verdict: 'used' as const,
      },
    ];
    const { inputs } = priceQuote(asking(BRL, 'eth-base/usdc', { sourceAmount: '1000.009', rateLock: '5m', ...fx }), {
      ...facts,
      market: {
        ...market,
        usdBrl: { rate: rate('USD', '5.3412'), observedAt: NOON - 1000, source: 'median', readings },
      },
    });
    expect(inputs).toMatchObject({
      givenAmount: '1000.009',
      offMarketSet: null,
      rulesVersion: rules.version,
      rates: [
        {
          of: 'usd-brl',
          source: 'median',
          rate: '5.3412000000',
          observedAt: '2026-05-13T13:59:59.000Z',
          readings: [
            {
              source: 'bank-a',
              rate: '5.3412000000',
              observedAt: '2026-05-13T13:59:59.000Z',
              weight: 2,
              spreadBps: 3,
              verdict: 'used',
            },
          ],
        },
        { of: 'reference', rate: '5.3400000000', source: 'ptax', observedAt: '2026-05-13T14:00:00.000Z' },
      ],
    });
    const row = (table: string) => inputs.rules.find((one) => one.table === table);
    expect(row('spreads')).toEqual({
      table: 'spreads',
      row: 0,
      values: { token: 'USDC', bps: 80, 'valid-from': '2020-01-01T00:00:00.000Z', 'valid-to': null },
    });
    expect(row('iof')).toMatchObject({
      row: 2,
      values: { 'rate-ppm': 0, 'basis-ref': 'psav-res-521-2025', 'trade-reason': null },
    });
    expect(row('rate-locks')).toMatchObject({ values: { name: '5m', 'premium-bps': 5, seconds: 300 } });
    expect(row('market')).toMatchObject({
      values: {
        'stale-after-seconds': 30,
        'opens-at': '09:00',
        holidays: expect.arrayContaining(['2026-12-25']) as unknown,
      },
    });
    expect(inputs.rules.map(({ table }) => table)).toEqual([
      'spreads',
      'fees',
      'pegs',
      'iof',
      'limits',
      'rate-locks',
      'market',
    ]);
    expect(priceQuote(asking(BRL, 'eth-base/brlv', { sourceAmount: '10' }), facts).inputs).toMatchObject({
      rates: [],
      rules: [
        { table: 'iof', row: 3 },
        { table: 'limits', row: 1 },
        { table: 'quote-validity', row: 1 },
      ],
    });
    expect(priceQuote(asking(BRL, 'eth-base/wbrly', { sourceAmount: '10' }), facts).inputs.rates).toMatchObject([
      { of: 'share-price', rate: '1.0712345678' },
    ]);
  });

  it('says when the source of the reference had given nothing, and names the block of a price from the chain', () => {
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

  it('same-currency: 15 minutes, bps 0, fee and IOF 0.00, rate 1, and a trade reason that was sent is forgotten', () => {
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

  it('a rate lock lengthens the validity and adds its premium to the spread', () => {
    const terms = priceQuote(asking(BRL, 'eth-base/usdc', { sourceAmount: '1000', rateLock: '1h', ...fx }), facts);
    expect(terms).toMatchObject({
      rateLock: '1h',
      expiresAt: '2026-05-13T15:00:00.000Z',
      pricing: { spread: { bps: 105, amount: '10.38' } },
    });
  });

  it('IOF follows its row: by direction, from its date on', () => {
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

describe('refusals of a quote', () => {
  const usdc = (more: Partial<RequestQuotePayload>) =>
    asking(BRL, 'eth-base/usdc', { sourceAmount: '1000', ...fx, ...more });

  it.each<[string, RequestQuotePayload, Partial<PricingFacts>, string[]]>([
    ['no amount', usdc({ sourceAmount: null }), {}, ['exactly-one-amount-required source-amount']],
    ['both amounts', usdc({ targetAmount: '1' }), {}, ['exactly-one-amount-required target-amount']],
    ['no decimal', usdc({ sourceAmount: '1e3' }), {}, ['invalid-format source-amount']],
    [
      'USDC for USDT',
      asking('eth-base/usdc', 'eth-base/usdt', { sourceAmount: '1' }),
      {},
      ['asset-pair-not-supported target-asset'],
    ],
    ['BRL for USD', asking(BRL, 'fiat/usd', { sourceAmount: '1' }), {}, ['asset-pair-not-supported target-asset']],
    [
      'BRL for BRLY',
      asking(BRL, 'eth-base/brly', { sourceAmount: '1' }),
      {},
      ['asset-pair-not-supported target-asset'],
    ],
    ['BRL for BRL', asking(BRL, BRL, { sourceAmount: '1' }), {}, ['asset-pair-not-supported target-asset']],
    [
      'a name from the prototype',
      asking(BRL, 'constructor' as AssetId, { sourceAmount: '1' }),
      {},
      ['asset-pair-not-supported target-asset'],
    ],
    ['FX without a trade reason', usdc({ tradeReason: null }), {}, ['trade-reason-required trade-reason']],
    ['an unknown reason', usdc({ tradeReason: 'toString' as never }), {}, ['invalid-enum-value trade-reason']],
    [
      'international-travels not enabled',
      usdc({ tradeReason: 'international-travels' }),
      withAccount('active'),
      ['trade-reason-not-enabled trade-reason'],
    ],
    [
      'a lock on same-currency',
      asking(BRL, 'eth-base/wbrly', { sourceAmount: '5', rateLock: '1h' }),
      {},
      ['rate-lock-not-applicable rate-lock'],
    ],
    [
      'a lock that is not enabled',
      usdc({ rateLock: '1h' }),
      withAccount('active', 'rate-lock-5m'),
      ['rate-lock-not-enabled rate-lock'],
    ],
    [
      'a lock that does not exist',
      usdc({ rateLock: '7d' }),
      withAccount('active', 'rate-lock-7d'),
      ['rate-lock-not-enabled rate-lock'],
    ],
    ['FX below BRL 10.00', usdc({ sourceAmount: '9.99' }), {}, ['amount-below-minimum source-amount']],
    [
      'an amount eaten by the fee',
      asking('eth-base/usdc', BRL, { sourceAmount: '0.3', ...fx }),
      {},
      ['amount-below-minimum source-amount'],
    ],
    ['zero', asking(BRL, 'eth-base/brlv', { targetAmount: '0.00' }), {}, ['amount-below-minimum target-amount']],
    [
      'same-currency below BRL 1.00',
      asking(BRL, 'eth-base/brlv', { sourceAmount: '0.999' }),
      {},
      ['amount-below-minimum source-amount'],
    ],
    [
      'more than BRL 10,000,000.00',
      asking(BRL, 'eth-base/brlv', { sourceAmount: '10000000.01' }),
      {},
      ['amount-above-maximum source-amount'],
    ],
    [
      'more than the equivalent of USD 50,000',
      usdc({ sourceAmount: null, targetAmount: '50000.000001' }),
      {},
      ['amount-above-maximum target-amount'],
    ],
    [
      'the same on a sale',
      asking('eth-base/usdt', BRL, { sourceAmount: '50000.000001', ...fx }),
      {},
      ['amount-above-maximum source-amount'],
    ],
    [
      'all faults at once, in the order of the rules',
      usdc({ sourceAmount: '5', tradeReason: null, rateLock: '1h' }),
      withAccount('active'),
      ['trade-reason-required trade-reason', 'rate-lock-not-enabled rate-lock', 'amount-below-minimum source-amount'],
    ],
    [
      'no amount and no reason',
      usdc({ sourceAmount: null, tradeReason: null }),
      {},
      ['exactly-one-amount-required source-amount', 'trade-reason-required trade-reason'],
    ],
    [
      'no amount and no pair',
      asking(BRL, BRL),
      {},
      ['exactly-one-amount-required source-amount', 'asset-pair-not-supported target-asset'],
    ],
    [
      'a frozen account, before everything else',
      usdc({ sourceAmount: null }),
      withAccount('frozen'),
      ['account-not-active'],
    ],
    [
      'a fault of the request before a missing rate',
      usdc({ tradeReason: null }),
      { market: {} },
      ['trade-reason-required trade-reason'],
    ],
  ])('%s', (_, request, changed, expected) => expect(refusal(request, changed)).toEqual(expected));

  it('the bounds themselves are inside', () => {
    expect(refusal(usdc({ sourceAmount: '10' }))).toEqual([]);
    expect(refusal(usdc({ sourceAmount: null, targetAmount: '50000' }))).toEqual([]);
    expect(refusal(asking(BRL, 'eth-base/brlv', { sourceAmount: '10000000' }))).toEqual([]);
  });

  it('a rate too stale to use, or none at all, is pricing-unavailable; same-currency at par needs none', () => {
    const old = (age: number): Partial<PricingFacts> => ({
      market: { ...market, usdBrl: { rate: rate('USD', '5.3412'), observedAt: NOON - age } },
    });
    expect(refusal(usdc({}), old(300_000))).toEqual([]);
    for (const changed of [old(300_001), { market: {} }]) {
      expect(() => priceQuote(usdc({}), { ...facts, ...changed })).toThrow(Unavailable);
    }
    expect(() => priceQuote(asking(BRL, 'eth-base/wbrly', { sourceAmount: '5' }), { ...facts, market: {} })).toThrow(
      Unavailable,
    );
    expect(refusal(asking(BRL, 'eth-base/brlv', { sourceAmount: '5' }), { market: {} })).toEqual([]);
  });
});

describe('a quote judged again for the account of an order', () => {
  const terms = priceQuote(
    asking(BRL, 'eth-base/usdc', { sourceAmount: '1000', tradeReason: 'international-travels', rateLock: '5m' }),
    facts,
  );
  const check = (quoted: QuoteTerms, ...[account]: [ReturnType<typeof withAccount>]) => {
    try {
      checkQuoteFor(quoted, account.account, rules, NOON);
    } catch (error) {
      return error instanceof Refusal ? error.violations.map(({ code, path }) => `${code} ${path}`.trim()) : error;
    }
    return 'ok';
  };

  it('refuses with the codes of a quote what that account may not', () => {
    expect(check(terms, withAccount('active', ...everything))).toBe('ok');
    expect(check(terms, withAccount('active'))).toEqual([
      'trade-reason-not-enabled quote-id',
      'rate-lock-not-enabled quote-id',
    ]);
    expect(check(terms, withAccount('frozen', ...everything))).toEqual(['account-not-active']);
    expect(check({ ...terms, sourceAmount: '9.99' }, withAccount('active', ...everything))).toEqual([
      'amount-below-minimum quote-id',
    ]);
  });

  it('asks nothing of a same-currency quote', () => {
    expect(check(priceQuote(asking(BRL, 'tempo/brlv', { sourceAmount: '5' }), facts), withAccount('active'))).toBe(
      'ok',
    );
  });
});

describe('a pair that cannot be ordered', () => {
  it('is not quoted, though it has a price', () => {
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

describe('the limits of an account', () => {
  const markets = fc
    .record({ usd: fc.integer({ min: 10_000, max: 99_999_999 }), share: fc.integer({ min: 10_000, max: 99_999_999 }) })
    .map(({ usd, share }): Market => ({
      usdBrl: { rate: rate('USD', (usd / 100_000).toFixed(5)), observedAt: NOON },
      sharePrice: { rate: rate('wBRLY', (share / 100_000).toFixed(5)), observedAt: NOON },
    }));
  const taxed = readRules({
    ...defaultRules,
    iof: defaultRules.iof.map((row) => ({ ...row, 'valid-from': '2020-01-01T00:00:00.000Z' })),
  });
  const bySide = (source: AssetId, target: AssetId, side: string, minimum: string, maximum: string) => ({
    conversion: assetOf(source === BRL ? target : source).symbol.startsWith('USD') ? 'fx' : 'same-currency',
    'source-asset': source,
    'target-asset': target,
    side,
    minimum,
    maximum,
    'ceiling-usd': null,
    'valid-from': '2020-01-01T00:00:00.000Z',
    'valid-to': null,
  });
  const bounded = readRules({
    ...defaultRules,
    limits: [
      bySide(BRL, 'eth-base/usdc', 'target', '7.654321', '4321.000007'),
      bySide(BRL, 'eth-base/usdc', 'source', '50.01', '40000.07'),
      bySide('eth-mainnet/usdt', BRL, 'source', '3.000001', '777.7'),
      bySide('eth-base/wbrly', BRL, 'target', '2.22', '99999.99'),
      bySide(BRL, 'tempo/brlv', 'target', '1.5', '20'),
      ...defaultRules.limits,
    ],
  });
  const one = (text: string): bigint => BigInt(text.replace('.', ''));

  it('are what quotes take: each bound is quoted, and the next amount outside it is refused', () => {
    fc.assert(
      fc.property(markets, fc.constantFrom(...PAIRS), fc.constantFrom(rules, taxed, bounded), (seen, pair, by) => {
        const limits = limitsOf([pair], seen, by, NOON);
        expect(limits.map(({ side }) => side)).toEqual(['source', 'target']);
        for (const { sourceAsset, targetAsset, side, asset, minimum, maximum } of limits) {
          const scale = assetOf(asset).scale;
          const asked = (minor: bigint) =>
            refusal(asking(sourceAsset, targetAsset, { [`${side}Amount`]: formatDecimal(minor, scale), ...fx }), {
              market: seen,
              rules: by,
            });
          const [least, most] = [one(minimum), one(maximum)];
          expect([asked(least - 1n), asked(least), asked(least + 1n)]).toEqual([
            [`amount-below-minimum ${side}-amount`],
            [],
            [],
          ]);
          expect([asked(most - 1n), asked(most), asked(most + 1n)]).toEqual([
            [],
            [],
            [`amount-above-maximum ${side}-amount`],
          ]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('name the bound that an amount is outside of', () => {
    const fault = (given: Partial<RequestQuotePayload>): string => {
      try {
        priceQuote(asking(BRL, 'eth-base/usdc', { ...given, ...fx }), { ...facts, rules: bounded });
        return 'none';
      } catch (error) {
        return (error as Refusal).violations[0]?.message ?? '';
      }
    };
    expect(fault({ targetAmount: '7.654320' })).toBe('the least is 50.01 fiat/brl as the source-amount');
    expect(fault({ targetAmount: '5000' })).toBe('the most is 4321.000007 eth-base/usdc as the target-amount');
    expect(fault({ sourceAmount: '9.99' })).toBe('the least is 10.00 BRL');
  });

  it('of BRL for BRLV are the configured ones', () => {
    const [source] = limitsOf([PAIRS[0] as Pair], market, rules, NOON);
    expect(source).toEqual({
      sourceAsset: 'fiat/brl',
      targetAsset: 'tempo/brlv',
      side: 'source',
      asset: 'fiat/brl',
      minimum: '1.00',
      maximum: '10000000.00',
    });
  });

  it('leave out what no rate is known for', () => {
    expect(
      new Set(
        limitsOf(PAIRS, {}, rules, NOON).map(({ sourceAsset, targetAsset }) =>
          sourceAsset === BRL ? targetAsset : sourceAsset,
        ),
      ),
    ).toEqual(new Set(['tempo/brlv', 'eth-base/brlv', 'eth-mainnet/brlv']));
  });
});

describe('the stream of a quote', () => {
  const terms = priceQuote(asking(BRL, 'eth-base/brlv', { sourceAmount: '5' }), facts);
  const [issued, accepted] = [
    new QuoteIssued(terms),
    new QuoteAccepted({ quoteId: 'q', orderId: 'o', acceptedAt: terms.createdAt }),
  ];
  const accept = { kind: 'record-acceptance', quoteId: 'q', orderId: 'o', acceptedAt: terms.createdAt } as const;

  it('open → accepted, once', () => {
    scenario(quote).given().when({ kind: 'issue', terms }).then(issued);
    scenario(quote).given(issued).when(accept).then(accepted);
    scenario(quote).given(issued, accepted).when(accept).then();
    expect(scenario(quote).given(issued).when({ kind: 'issue', terms }).refusal()).toMatchObject({
      code: 'idempotency-key-reused',
    });
    expect(() =>
      quote.decide({ ...accept, orderId: 'other' }, scenario(quote).given(issued, accepted).state()),
    ).toThrow('no move');
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
