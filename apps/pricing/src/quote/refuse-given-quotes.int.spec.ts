import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CheckQuoteFor } from '@ponte/contracts';
import defaultRules from '../default-rules.json';
import { asking, context, fx, PricingUnderTest } from '../testing/pricing-under-test';

/** The moment from which the changed rules refuse the quotes, within a lock of an hour. */
const STOP = '2026-05-13T14:05:00.000Z';
const limit = { conversion: 'fx', 'ceiling-usd': '50000.00', 'valid-from': STOP, 'valid-to': null };
/** The row of docs/operations/wrong-rates.md, which no amount satisfies. */
const NOTHING = { ...limit, minimum: '10000000.00', maximum: '10000000.00' };
const withLimits = (...rows: object[]) => ({ ...defaultRules, limits: [...rows, ...defaultRules.limits] });
const [general, ...others] = defaultRules.limits;
const WITHOUT_LOCK = {
  ...defaultRules,
  'rate-locks': defaultRules['rate-locks'].map((row) => (row.name === '1h' ? { ...row, 'valid-to': STOP } : row)),
};
/** The general FX row ends, because rows of the same key must not overlap. */
const WITHOUT_FX = { ...defaultRules, limits: [NOTHING, { ...general, 'valid-to': STOP }, ...others] };
const WITHOUT_USDC = withLimits(
  { ...NOTHING, 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/usdc' },
  { ...NOTHING, 'source-asset': 'eth-base/usdc', 'target-asset': 'fiat/brl' },
);
/** USDC at 0.88 USD. */
const [pegged, ...pegs] = defaultRules.pegs;
const WITH_PEG = {
  ...defaultRules,
  pegs: [{ ...pegged, 'valid-to': STOP }, { ...pegged, usd: '0.88', 'valid-from': STOP }, ...pegs],
};

const LOCKED = 'A locked quote';
const UNLOCKED = 'A quote without a lock';
const SOLD = 'A quote that sells USDC';
const OTHER = 'A quote of USDT';
const BRLV = 'A quote of BRLV';

describe('Quotes that were given at a wrong rate, after an operator changed the rules', () => {
  const pricing = new PricingUnderTest();
  const given = new Map<string, string>();
  const check = (name: string) =>
    pricing.engines.bus
      .request(CheckQuoteFor, { quoteId: given.get(name) ?? '', accountId: 'partner' }, context())
      .then(
        () => 'accepted',
        ({ code }: { code: string }) => code,
      );
  const restartWith = async (rules: object) => {
    const file = join(pricing.folder.path, 'rules.json');
    writeFileSync(file, JSON.stringify(rules));
    process.env['PONTE_PRICING_RULES'] = file;
    await pricing.stop();
    await pricing.start();
  };

  beforeAll(async () => {
    await pricing.start();
    const requests = {
      [LOCKED]: fx({ rateLock: '1h' }),
      [UNLOCKED]: fx(),
      [SOLD]: fx({ sourceAsset: 'eth-base/usdc', targetAsset: 'fiat/brl', rateLock: '1h' }),
      [OTHER]: fx({ targetAsset: 'eth-base/usdt', rateLock: '1h' }),
      [BRLV]: asking(),
    };
    for (const [name, request] of Object.entries(requests)) {
      const { quoteId } = await pricing.request(request);
      given.set(name, quoteId);
    }
    pricing.time.now = Date.parse(STOP);
  });
  afterAll(async () => {
    delete process.env['PONTE_PRICING_RULES'];
    await pricing.stop();
    pricing.folder.remove();
  });

  it.each([
    [LOCKED, 'rate-lock-not-enabled', 'amount-below-minimum', 'amount-below-minimum'],
    [SOLD, 'rate-lock-not-enabled', 'amount-below-minimum', 'amount-below-minimum'],
    [OTHER, 'rate-lock-not-enabled', 'amount-below-minimum', 'accepted'],
    [UNLOCKED, 'accepted', 'amount-below-minimum', 'amount-below-minimum'],
    [BRLV, 'accepted', 'accepted', 'accepted'],
  ])('%s: %s when its lock has ended, %s without FX, %s without USDC', async (name, ...expected) => {
    expect(await check(name)).toBe('accepted');
    for (const [index, rules] of [WITHOUT_LOCK, WITHOUT_FX, WITHOUT_USDC].entries()) {
      await restartWith(rules);
      expect(await check(name)).toBe(expected[index]);
    }
    await restartWith(defaultRules);
  });

  it('are honoured at their price after the peg of their token was changed, while new ones have the new price', async () => {
    await pricing.setPricing('5.0000000000', false);
    await restartWith(WITH_PEG);
    for (const name of [LOCKED, SOLD, OTHER]) expect(await check(name)).toBe('accepted');
    expect((await pricing.request(fx())).pricing.baseRate.amount).toBe('4.4000000000');
    expect((await pricing.request(fx({ targetAsset: 'eth-base/usdt' }))).pricing.baseRate.amount).toBe('5.0000000000');
    await pricing.setPricing(null, null);
    await restartWith(defaultRules);
  });

  it('have a new quote refused in the same way, and are accepted again under the earlier rules', async () => {
    await restartWith(WITHOUT_LOCK);
    await expect(pricing.request(fx({ rateLock: '1h' }))).rejects.toMatchObject({ code: 'rate-lock-not-enabled' });
    expect((await pricing.request(fx())).state).toBe('open');
    await restartWith(WITHOUT_USDC);
    await expect(pricing.request(fx())).rejects.toMatchObject({ code: 'amount-below-minimum' });
    expect((await pricing.request(fx({ targetAsset: 'eth-base/usdt' }))).state).toBe('open');
    await restartWith(defaultRules);
    expect(await check(LOCKED)).toBe('accepted');
  });
});
