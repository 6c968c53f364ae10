import type { Pair } from '@ponte/contracts';
import { PAIRS } from '@ponte/contracts';
import { assetOf } from '@ponte/kernel';
import defaultRules from '../default-rules.json';
import { readRules } from '../rules/read-rules.domain';
import type { OracleForm } from './domain-oracle.testing';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const day = (index: number): string => new Date(START + index * DAY_MS).toISOString();

/*
 * The rules of the test as rows that are in force from one day to another, counted from the first of January. In each
 * table the first matching row in force is used.
 */
export const SPREADS = [
  { token: 'USDC', from: 0, to: 30, bps: 80 },
  { token: 'USDC', from: 30, to: 90, bps: 1 },
  { token: 'USDT', from: 0, to: 45, bps: 105 },
  { token: 'USDT', from: 45, to: 90, bps: 2_500 },
] as const;
export const FEES = [
  { token: 'USDC', from: 0, to: 90, amount: '2.00' },
  { token: 'USDT', from: 0, to: 50, amount: '0.00' },
  { token: 'USDT', from: 50, to: 90, amount: '7.77' },
] as const;
export const IOF = [
  { reason: 'international-travels', direction: 'buy', from: 20, to: 70, ppm: 11_000, basis: 'travel' },
  { reason: null, direction: 'buy', from: 10, to: 60, ppm: 35_000, basis: 'outbound' },
  { reason: null, direction: 'sell', from: 40, to: 80, ppm: 3_800, basis: 'inbound' },
  { reason: null, direction: null, from: 0, to: 90, ppm: 0, basis: 'none' },
] as const;
/** USD for one token. */
export const PEGS = [
  { token: 'USDC', from: 0, to: 25, usd: '1' },
  { token: 'USDC', from: 25, to: 90, usd: '0.9987654321' },
  { token: 'USDT', from: 0, to: 60, usd: '1.0000000001' },
  { token: 'USDT', from: 60, to: 90, usd: '0.97' },
] as const;
const LOCKS = [
  { name: null, premium: 0, seconds: 60 },
  { name: '5m', premium: 5, seconds: 300 },
  { name: '24h', premium: 100, seconds: 86_400 },
] as const;
const REASONS = ['transfer-between-same-entity-accounts', 'international-travels'] as const;

const dated = ({ from, to }: { from: number; to: number }) => ({ 'valid-from': day(from), 'valid-to': day(to) });
export const rules = readRules({
  ...defaultRules,
  spreads: SPREADS.map((row) => ({ token: row.token, bps: row.bps, ...dated(row) })),
  fees: FEES.map((row) => ({ token: row.token, amount: row.amount, ...dated(row) })),
  pegs: PEGS.map((row) => ({ token: row.token, usd: row.usd, ...dated(row) })),
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

/** Generates the same numbers below 2^53 for the same seed, from two draws of mulberry32 each. */
export function randomNumbers(seed: number): (bound: number) => number {
  let state = seed;
  const draw = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return (bound) => Math.floor((((draw() >>> 11) * 2 ** 32 + draw()) / 2 ** 53) * bound);
}

export interface Case {
  readonly pair: Pair;
  readonly given: 'source' | 'target';
  readonly amount: string;
  readonly reason: (typeof REASONS)[number];
  readonly lock: (typeof LOCKS)[number];
  readonly now: number;
  readonly day: number;
  /** The USD/BRL rate or the BRL for redeeming a share, with ten decimals. */
  readonly rate: string;
  /** The BRL that creating a share costs. */
  readonly cost: string;
  /** The rate that USD/BRL is compared with. Null if its source reported nothing, undefined if there is no source. */
  readonly reference: string | null | undefined;
}

export const symbolOf = ({ source, target }: Pair): string => assetOf(source === 'fiat/brl' ? target : source).symbol;
export const formOf = (symbol: string): OracleForm => (symbol === 'BRLV' ? 'par' : symbol === 'wBRLY' ? 'share' : 'fx');
const decimals = (digits: string, scale: number): string => {
  const padded = digits.padStart(scale + 1, '0');
  return `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
};

export function caseOf(random: (bound: number) => number): Case {
  const pair = PAIRS[random(PAIRS.length)] as Pair;
  const index = random(90);
  const rate = 1_000_000_000 + random(90_000_000_000);
  // One amount in ten has any size, from far below the minimum to above every maximum; the others have a usual size.
  const scale = random(10) === 0 ? 1 + random(17) : 3;
  const digits = String(1 + random(10 ** (scale === 3 ? 5 + random(4) : 1 + random(15))));
  // Half of the amounts have more decimals than the asset, which are cut off.
  const more = random(2) === 0 ? '' : String(1 + random(10 ** 15));
  return {
    pair,
    given: random(2) === 0 ? 'source' : 'target',
    amount: `${decimals(digits, scale)}${more.slice(0, 18 - scale)}`,
    reason: REASONS[random(2)] ?? REASONS[0],
    lock: LOCKS[random(3)] ?? LOCKS[0],
    // Often the first or the last millisecond of a day, where rows begin and end.
    now: START + index * DAY_MS + ([0, DAY_MS - 1][random(3)] ?? random(DAY_MS)),
    day: index,
    rate: decimals(String(rate), 10),
    cost: decimals(String(rate + random(3)), 10),
    // Exactly at the bound of 200 basis points, just beyond it, or near it.
    reference: [null, undefined, decimals(String(rate + Math.floor(rate / 100) * (random(7) - 3) + random(3)), 10)][
      random(4)
    ],
  };
}
