import { AdvanceClock, GetLimits, GetPairs, ORDERABLE_PAIRS, PAIRS, PriceQuote } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { asking, context, fx, PricingUnderTest } from './testing/pricing-under-test';

const pricing = new PricingUnderTest();
beforeAll(() => pricing.start());
afterAll(async () => {
  await pricing.stop();
  pricing.folder.remove();
});

describe('pricing in the sandbox and in production', () => {
  it('in the sandbox, can have its rate and off-market flag fixed across a restart, and restored', async () => {
    expect((await pricing.request(fx())).offMarketPricing).toBe(false);
    expect(await pricing.setPricing('6.5', null)).toEqual({ rate: '6.5000000000', offMarket: null });
    expect(await pricing.request(fx())).toMatchObject({
      offMarketPricing: true,
      pricing: { baseRate: { amount: '6.5000000000' } },
    });
    await pricing.setPricing('6.5', false);
    await pricing.stop();
    await pricing.start();
    expect(await pricing.request(fx())).toMatchObject({
      offMarketPricing: false,
      pricing: { baseRate: { amount: '6.5000000000' } },
    });
    await pricing.setPricing(null, true);
    const quoted = await pricing.request(fx());
    expect(quoted.offMarketPricing).toBe(true);
    expect(quoted.pricing.baseRate.amount).toMatch(/^5\.[34]/);
    await pricing.setPricing(null, null);
    expect((await pricing.request(fx())).offMarketPricing).toBe(false);
    for (const rate of ['0', '-1', 'x', '10000.1', '0.009', '1e30']) {
      await expect(pricing.setPricing(rate, null)).rejects.toMatchObject({
        violations: [{ code: 'invalid-format', path: 'rate' }],
      });
    }
  });

  it('advances business time in the log, once for each command, and never back', async () => {
    const advance = (command: { seconds?: number; until?: string }, as = context()) =>
      pricing.engines.bus.request(AdvanceClock, { seconds: null, until: null, ...command }, as);
    const once = context();
    expect((await advance({ seconds: 60 }, once)).aheadMs).toBe(60_000);
    expect((await advance({ seconds: 60 }, once)).aheadMs).toBe(60_000);
    expect((await advance({ until: '2000-01-01T00:00:00.000Z' })).aheadMs).toBe(60_000);
    const { now, aheadMs } = await advance({ until: new Date(Date.now() + 7_200_000).toISOString() });
    expect([Math.round(aheadMs / 3_600_000), Math.round((Date.parse(now) - Date.now()) / 3_600_000)]).toEqual([2, 2]);
    expect((await pricing.engines.store.read('sandboxClock-business')).map(({ type }) => type)).toEqual([
      'BusinessTimeAdvanced',
      'BusinessTimeAdvanced',
    ]);
    for (const [command, path] of [
      [{ seconds: 0 }, 'seconds'],
      [{ seconds: 1.5 }, 'seconds'],
      [{ until: '9999-01-01T00:00:00.000Z' }, 'until'],
      [{ until: 'noon' }, 'until'],
    ] as const) {
      await expect(advance(command)).rejects.toMatchObject({ violations: [{ code: 'invalid-format', path }] });
    }
  });

  it('in production, has no sandbox messages, requires a source of rates and refuses a log with advanced time', async () => {
    await pricing.stop();
    await expect(pricing.start('production')).rejects.toThrow('cannot be used in production');
    pricing.folder.remove();
    await expect(pricing.start('production')).rejects.toThrow('PONTE_RATES');
    await pricing.engines.close();
    process.env['PONTE_RATES'] = 'seeded';
    try {
      await pricing.start('production', null);
    } finally {
      delete process.env['PONTE_RATES'];
    }
    await expect(pricing.setPricing('6.5', null)).rejects.toBeInstanceOf(Unavailable);
    await expect(
      pricing.engines.bus.request(AdvanceClock, { seconds: 1, until: null }, context()),
    ).rejects.toBeInstanceOf(Unavailable);
    expect((await pricing.request(asking())).state).toBe('open');
  });

  it('quotes and limits exactly the pairs that can be ordered', async () => {
    for (const { source, target, orderable } of PAIRS) {
      const quoted = pricing.request(fx({ sourceAsset: source, targetAsset: target, sourceAmount: '100.00' }));
      await (orderable
        ? expect(quoted).resolves.toMatchObject({ state: 'open' })
        : expect(quoted).rejects.toMatchObject({ code: 'asset-pair-not-supported' }));
    }
    const { limits } = await pricing.engines.bus.request(GetLimits, { accountId: 'partner' }, context());
    const { pairs } = await pricing.engines.bus.request(GetPairs, {}, context());
    const shown = ORDERABLE_PAIRS.map(({ source, target }) => `${source} ${target}`);
    expect(new Set(limits.map(({ sourceAsset, targetAsset }) => `${sourceAsset} ${targetAsset}`))).toEqual(
      new Set(shown),
    );
    expect(pairs.map(({ source, target }) => `${source} ${target}`)).toEqual(shown);
  });

  it('neither shows nor quotes the pairs of a token without a contract, and shows their limits to no account', async () => {
    const shown = async (): Promise<string[][]> => {
      const { limits } = await pricing.engines.bus.request(GetLimits, { accountId: 'partner' }, context());
      const { pairs } = await pricing.engines.bus.request(GetPairs, {}, context());
      return [
        limits.map(({ sourceAsset, targetAsset }) => `${sourceAsset} ${targetAsset}`),
        pairs.map(({ source, target }) => `${source} ${target}`),
      ].map((found) => found.filter((pair) => pair.includes('eth-base/usdt')));
    };
    expect((await shown()).map(({ length }) => length)).toEqual([4, 2]);
    await pricing.stop();
    pricing.withoutContract.add('eth-base/usdt');
    await pricing.start();
    await eventually(async () => expect(await shown()).toEqual([[], []]));
    for (const [sourceAsset, targetAsset] of [
      ['fiat/brl', 'eth-base/usdt'],
      ['eth-base/usdt', 'fiat/brl'],
    ] as const) {
      const request = fx({ sourceAsset, targetAsset, sourceAmount: '100.00' });
      await expect(pricing.request(request)).rejects.toMatchObject({ code: 'asset-pair-not-supported' });
      const priced = pricing.engines.bus.request(PriceQuote, request, context());
      await expect(priced).rejects.toMatchObject({ code: 'asset-pair-not-supported' });
    }
    expect((await pricing.request(fx())).state).toBe('open');
  });
});
