import type { AssetId } from '@ponte/kernel';
import type { RequestQuotePayload } from '@ponte/contracts';
import { BRL } from '../price/conversion.domain';
import { priceQuote } from '../price/price-quote.domain';
import { NOON, rules, rate, market, facts, asking, fx } from './quote-requests.testing';

describe('a quote', () => {
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

  it('keeps its inputs: the rates with their sources and times, and the rows of the rules', () => {
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
});
