import { randomInt } from 'node:crypto';
import type { IssuedQuote, Pair, RequestQuotePayload } from '@ponte/contracts';
import { PAIRS } from '@ponte/contracts';
import { Rate, Refusal, assetOf } from '@ponte/kernel';
import defaultRules from '../../default-rules.json';
import type { Market } from '../market/market';
import { readRules } from '../rules/read-rules';
import type { OracleForm } from './domain-oracle.testing';
import { Exact, oracleQuote, tokenScale } from './domain-oracle.testing';
import { priceQuote } from './price-quote';

jest.setTimeout(1_800_000);

const QUOTES = 1_000_000;
/** Another in each run; a failure names it. */
const SEED = Number(process.env['PRICED_QUOTES_SEED'] ?? randomInt(1, 2 ** 31));
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const day = (index: number): string => new Date(START + index * DAY_MS).toISOString();

/*
 * The rules of the test, as rows of days from the first of January. In each table the first row that fits and is in
 * force counts.
 */
const SPREADS = [
  { token: 'USDC', from: 0, to: 30, bps: 80 },
  { token: 'USDC', from: 30, to: 90, bps: 1 },
  { token: 'USDT', from: 0, to: 45, bps: 105 },
  { token: 'USDT', from: 45, to: 90, bps: 2_500 },
] as const;
const FEES = [
  { token: 'USDC', from: 0, to: 90, amount: '2.00' },
  { token: 'USDT', from: 0, to: 50, amount: '0.00' },
  { token: 'USDT', from: 50, to: 90, amount: '7.77' },
] as const;
const IOF = [
  { reason: 'international-travels', direction: 'buy', from: 20, to: 70, ppm: 11_000, basis: 'travel' },
  { reason: null, direction: 'buy', from: 10, to: 60, ppm: 35_000, basis: 'outbound' },
  { reason: null, direction: 'sell', from: 40, to: 80, ppm: 3_800, basis: 'inbound' },
  { reason: null, direction: null, from: 0, to: 90, ppm: 0, basis: 'none' },
] as const;
const LOCKS = [
  { name: null, premium: 0, seconds: 60 },
  { name: '5m', premium: 5, seconds: 300 },
  { name: '24h', premium: 100, seconds: 86_400 },
] as const;
const REASONS = ['transfer-between-same-entity-accounts', 'international-travels'] as const;

const dated = ({ from, to }: { from: number; to: number }) => ({ 'valid-from': day(from), 'valid-to': day(to) });
const rules = readRules({
  ...defaultRules,
  spreads: SPREADS.map((row) => ({ token: row.token, bps: row.bps, ...dated(row) })),
  fees: FEES.map((row) => ({ token: row.token, amount: row.amount, ...dated(row) })),
  iof: [
    ...IOF.map((row) => ({
      conversion: 'fx',
      'trade-reason': row.reason,
      direction: row.direction,
      'rate-ppm': row.ppm,
      applicable: row.ppm > 0,
      'basis-ref': row.basis,
      ...dated(row),
    })),
    ...defaultRules.iof.filter(({ conversion }) => conversion === 'same-currency'),
  ],
});

/** The same numbers for the same seed, below 2^53: two draws of mulberry32 each. */
function randomNumbers(seed: number): (bound: number) => number {
  let state = seed;
  const draw = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return (bound) => Math.floor((((draw() >>> 11) * 2 ** 32 + draw()) / 2 ** 53) * bound);
}

interface Case {
  readonly pair: Pair;
  readonly given: 'source' | 'target';
  readonly amount: string;
  readonly reason: (typeof REASONS)[number];
  readonly lock: (typeof LOCKS)[number];
  readonly now: number;
  readonly day: number;
  /** Rate or price of a share, with ten decimals. */
  readonly rate: string;
}

const symbolOf = ({ source, target }: Pair): string => assetOf(source === 'fiat/brl' ? target : source).symbol;
const formOf = (symbol: string): OracleForm => (symbol === 'BRLV' ? 'par' : symbol === 'wBRLY' ? 'share' : 'fx');
const decimals = (digits: string, scale: number): string => {
  const padded = digits.padStart(scale + 1, '0');
  return `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
};

function caseOf(random: (bound: number) => number): Case {
  const pair = PAIRS[random(PAIRS.length)] as Pair;
  const index = random(90);
  // One in ten has any size, from far below the minimum to above every maximum; the rest is of a usual size.
  const scale = random(10) === 0 ? 1 + random(17) : 3;
  const digits = String(1 + random(10 ** (scale === 3 ? 5 + random(4) : 1 + random(15))));
  // More decimals than an asset has are cut off, so that half of the amounts have them.
  const more = random(2) === 0 ? '' : String(1 + random(10 ** 15));
  return {
    pair,
    given: random(2) === 0 ? 'source' : 'target',
    amount: `${decimals(digits, scale)}${more.slice(0, 18 - scale)}`,
    reason: REASONS[random(2)] ?? REASONS[0],
    lock: LOCKS[random(3)] ?? LOCKS[0],
    // The first and the last millisecond of a day are where a row begins and ends.
    now: START + index * DAY_MS + ([0, DAY_MS - 1][random(3)] ?? random(DAY_MS)),
    day: index,
    rate: decimals(String(1_000_000_000 + random(90_000_000_000)), 10),
  };
}

/** The quote as the written formulas have it, or the code of its refusal. */
function expectedOf({ pair, given, amount, reason, lock, day: at, rate }: Case): string {
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
  const R = form === 'par' ? Exact.whole(1) : Exact.of(rate);
  const priced = oracleQuote({ form, buying, given, amount, rate: R, bps, iofPpm: fx ? (iof?.ppm ?? NaN) : 0, fee });
  if (!priced || Exact.of(fx ? '10.00' : '1.00').isAbove(priced.brl)) return 'amount-below-minimum';
  if (priced.brl.isAbove(Exact.of('10000000.00'))) return 'amount-above-maximum';
  if (fx && priced.token.isAbove(Exact.of('50000.00'))) return 'amount-above-maximum';
  const [brl, token] = [priced.brl.text(2), priced.token.text(tokenScale(form))];
  return [
    ...(buying ? [brl, token] : [token, brl]),
    `spread ${priced.spread.text(2)} ${bps}`,
    `fee ${fee}`,
    `iof ${priced.iof.text(2)} ${fx && (iof?.ppm ?? 0) > 0} ${fx ? iof?.basis : 'psav-res-521-2025'}`,
    `rate ${R.text(10)} ${symbol}`,
    `vet ${priced.vet.text(10)} ${symbol}`,
    `for ${fx ? lock.seconds : 900} s`,
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
  ].join(', ');

function actualOf({ pair, given, amount, reason, lock, now, rate }: Case): string {
  const fx = formOf(symbolOf(pair)) === 'fx';
  const request: RequestQuotePayload = {
    ...{ quoteId: 'q', accountId: 'a', scope: 'account', sourceAsset: pair.source, targetAsset: pair.target },
    sourceAmount: given === 'source' ? amount : null,
    targetAmount: given === 'target' ? amount : null,
    tradeReason: fx ? reason : null,
    rateLock: fx ? lock.name : null,
  };
  const share = { rate: Rate.parse('wBRLY', 'BRL', rate), observedAt: now };
  const market: Market = { usdBrl: { rate: Rate.parse('USD', 'BRL', rate), observedAt: now }, sharePrice: share };
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

describe('quotes of all pairs, a million of them', () => {
  it('are what the written formulas say, by the rules of their day: amounts, charges, rates, limits and validity', () => {
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
    // Every pair and given side has its share, and both limits were met.
    expect(priced.size).toBe(2 * PAIRS.length);
    expect(Math.min(...priced.values())).toBeGreaterThan(QUOTES / 100);
    expect([...refused.keys()].sort()).toEqual(['amount-above-maximum', 'amount-below-minimum']);
  });
});
