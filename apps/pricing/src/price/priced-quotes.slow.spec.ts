import { randomInt } from 'node:crypto';
import type { IssuedQuote, RequestQuotePayload } from '@ponte/contracts';
import { PAIRS } from '@ponte/contracts';
import { Rate, Refusal } from '@ponte/kernel';
import defaultRules from '../default-rules.json';
import type { Market } from '../market/market.domain';
import { Exact, oracleQuote, tokenScale } from './domain-oracle.testing';
import { priceQuote } from './price-quote.domain';
import type { Case } from './priced-quote-cases.testing';
import { FEES, IOF, PEGS, SPREADS, caseOf, formOf, randomNumbers, rules, symbolOf } from './priced-quote-cases.testing';

jest.setTimeout(1_800_000);

/** Fewer in CI, which is limited to 40 minutes. */
const QUOTES = process.env['CI'] ? 100_000 : 1_000_000;
/** A new seed in each run. A failure reports it. */
const SEED = Number(process.env['PRICED_QUOTES_SEED'] ?? randomInt(1, 2 ** 31));
const DEVIATION_BPS = 200;
const HOUR_MS = 3_600_000;
/** São Paulo has had no daylight saving time since 2019 and is three hours behind UTC. */
const SAO_PAULO_MS = -3 * HOUR_MS;

/** Off-market: the spot market is closed, or the reference is missing or too far away. */
function isOffMarket({ now, rate, reference }: Case): boolean {
  const wall = new Date(now + SAO_PAULO_MS);
  const isWeekend = wall.getUTCDay() === 0 || wall.getUTCDay() === 6;
  const isHoliday = (defaultRules.market[0]?.holidays ?? []).includes(wall.toISOString().slice(0, 10));
  if (isWeekend || isHoliday || wall.getUTCHours() < 9 || wall.getUTCHours() >= 17) return true;
  if (reference === undefined) return false;
  if (reference === null) return true;
  const [one, other] = [Exact.of(rate), Exact.of(reference)];
  const distance = one.isAbove(other) ? one.minus(other) : other.minus(one);
  return distance.isAbove(other.times(Exact.whole(DEVIATION_BPS, 10_000)));
}

/** The quote by the written formulas, or the code of its refusal. */
function expectedOf(one: Case): string {
  const { pair, given, amount, reason, lock, day: at, rate, cost } = one;
  const symbol = symbolOf(pair);
  const form = formOf(symbol);
  const buying = pair.source === 'fiat/brl';
  const current = <T extends { from: number; to: number }>(rows: readonly T[], fits: (row: T) => boolean) =>
    rows.find((row) => fits(row) && row.from <= at && at < row.to);
  const fx = form === 'fx';
  const iof = current(
    IOF,
    (row) =>
      (row.reason === null || row.reason === reason) &&
      (row.direction === null || row.direction === (buying ? 'buy' : 'sell')),
  );
  const bps = fx ? (current(SPREADS, ({ token }) => token === symbol)?.bps ?? NaN) + lock.premium : 0;
  const fee = fx ? (current(FEES, ({ token }) => token === symbol)?.amount ?? '') : '0.00';
  const peg = current(PEGS, ({ token }) => token === symbol)?.usd ?? '';
  const R = {
    par: () => Exact.whole(1),
    share: () => Exact.of(buying ? cost : rate),
    fx: () => Exact.of(rate).times(Exact.of(peg)).floor(10),
  }[form]();
  const priced = oracleQuote({ form, buying, given, amount, rate: R, bps, iofPpm: fx ? (iof?.ppm ?? NaN) : 0, fee });
  if (!priced || Exact.of(fx ? '10.00' : '1.00').isAbove(priced.brl)) return 'amount-below-minimum';
  if (priced.brl.isAbove(Exact.of('10000000.00'))) return 'amount-above-maximum';
  if (fx && priced.token.times(Exact.of(peg)).isAbove(Exact.of('50000.00'))) return 'amount-above-maximum';
  const [brl, token] = [priced.brl.text(2), priced.token.text(tokenScale(form))];
  return [
    ...(buying ? [brl, token] : [token, brl]),
    `spread ${priced.spread.text(2)} ${bps}`,
    `fee ${fee}`,
    `iof ${priced.iof.text(2)} ${fx && (iof?.ppm ?? 0) > 0} ${fx ? iof?.basis : 'psav-res-521-2025'}`,
    `rate ${R.text(10)} ${symbol}`,
    `vet ${priced.vet.text(10)} ${symbol}`,
    `for ${fx ? lock.seconds : 900} s`,
    `off-market ${fx && isOffMarket(one)}`,
  ].join(', ');
}

const wordsOf = ({ pricing, vet, ...quote }: IssuedQuote): string =>
  [
    quote.sourceAmount,
    quote.targetAmount,
    `spread ${pricing.spread.amount} ${pricing.spread.bps}`,
    `fee ${pricing.fee.amount}`,
    `iof ${pricing.iof.amount} ${pricing.iof.applicable} ${pricing.iof.basisRef}`,
    `rate ${pricing.baseRate.amount} ${pricing.baseRate.base}`,
    `vet ${vet.amount} ${vet.base}`,
    `for ${(Date.parse(quote.expiresAt) - Date.parse(quote.createdAt)) / 1000} s`,
    `off-market ${quote.offMarketPricing}`,
  ].join(', ');

function actualOf({ pair, given, amount, reason, lock, now, rate, cost, reference }: Case): string {
  const fx = formOf(symbolOf(pair)) === 'fx';
  const request: RequestQuotePayload = {
    ...{ quoteId: 'q', accountId: 'a', scope: 'account', sourceAsset: pair.source, targetAsset: pair.target },
    sourceAmount: given === 'source' ? amount : null,
    targetAmount: given === 'target' ? amount : null,
    tradeReason: fx ? reason : null,
    rateLock: fx ? lock.name : null,
  };
  const observed = (base: string, text: string) => ({ rate: Rate.parse(base, 'BRL', text), observedAt: now });
  const market: Market = {
    usdBrl: observed('USD', rate),
    sharePrice: observed('wBRLY', rate),
    shareCost: observed('wBRLY', cost),
    ...(reference === undefined ? {} : { reference: reference === null ? null : observed('USD', reference) }),
  };
  const capabilities = ['international-travels', 'rate-lock-5m', 'rate-lock-24h'];
  try {
    return wordsOf(
      priceQuote(request, { rules, market, account: { status: 'active', capabilities }, now, isOrderable: () => true }),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.violations.map(({ code }) => code).join(' ');
  }
}

describe('a million quotes of all pairs (fewer in CI)', () => {
  it('have the amounts, charges, rates, limits and validity of the written formulas, by the rules of their day', () => {
    const random = randomNumbers(SEED);
    const priced = new Map<string, number>();
    const refused = new Map<string, number>();
    let count = 0;
    while (count < QUOTES) {
      const one = caseOf(random);
      const [expected, actual] = [expectedOf(one), actualOf(one)];
      if (expected !== actual)
        throw new Error(`PRICED_QUOTES_SEED=${SEED} ${JSON.stringify(one)}\n  has ${actual}\n  not ${expected}`);
      const key = `${one.pair.source} ${one.pair.target} ${one.given}`;
      if (expected.startsWith('amount-')) refused.set(expected, (refused.get(expected) ?? 0) + 1);
      else {
        priced.set(key, (priced.get(key) ?? 0) + 1);
        count += 1;
      }
    }
    // Every pair and given side was priced often enough, and both limits were reached.
    expect(priced.size).toBe(2 * PAIRS.length);
    expect(Math.min(...priced.values())).toBeGreaterThan(QUOTES / 100);
    expect([...refused.keys()].sort()).toEqual(['amount-above-maximum', 'amount-below-minimum']);
  });
});
