import { Unavailable } from '@ponte/kernel';
import type { TradeReason } from '@ponte/contracts';
import { TRADE_REASON_CODES } from '@ponte/contracts';
import type { ConversionKind, Direction, ForeignSymbol } from '../quote/conversion';
import type { Dated, FeeRule, IofRule, LimitRule, MarketRule, PegRule, PricingRules, RateLockRule, SpreadRule, ValidityRule } from './rules';

const current = (row: Dated, now: number): boolean => row.validFrom <= now && now < row.validTo;

/** Nothing is priced by a rule that is not in force: without a row the answer is `pricing-unavailable`, not a guess. */
const required = <T>(row: T | undefined, table: string): T => {
  if (row === undefined) throw new Unavailable('pricing-unavailable', `no rule of ${table} is in force for this conversion`);
  return row;
};

export const spreadAt = (rules: PricingRules, symbol: ForeignSymbol, now: number): SpreadRule =>
  required(rules.spreads.find((row) => row.symbol === symbol && current(row, now)), 'spreads');

export const feeAt = (rules: PricingRules, symbol: ForeignSymbol, now: number): FeeRule =>
  required(rules.fees.find((row) => row.symbol === symbol && current(row, now)), 'fees');

export const pegAt = (rules: PricingRules, symbol: ForeignSymbol, now: number): PegRule =>
  required(rules.pegs.find((row) => row.symbol === symbol && current(row, now)), 'pegs');

export const limitsAt = (rules: PricingRules, kind: ConversionKind, now: number): LimitRule =>
  required(rules.limits.find((row) => row.kind === kind && current(row, now)), 'limits');

export const validityAt = (rules: PricingRules, kind: ConversionKind, now: number): ValidityRule =>
  required(rules.validity.find((row) => row.kind === kind && current(row, now)), 'quote-validity');

export const marketAt = (rules: PricingRules, now: number): MarketRule => required(rules.market.find((row) => current(row, now)), 'market');

/** A lock that is not offered is undefined: nobody has it enabled. */
export const rateLockAt = (rules: PricingRules, name: string, now: number): RateLockRule | undefined =>
  rules.rateLocks.find((row) => row.name === name && current(row, now));

/** Every lock that is offered. */
export const rateLocksAt = (rules: PricingRules, now: number): readonly RateLockRule[] => rules.rateLocks.filter((row) => current(row, now));

export const iofAt = (rules: PricingRules, kind: ConversionKind, direction: Direction, reason: TradeReason | null, now: number): IofRule =>
  required(rules.iof.find((row) => row.kind === kind
    && (row.direction === null || row.direction === direction)
    && (row.tradeReason === null || row.tradeReason === reason)
    && current(row, now)), 'iof');

/** Throws when some conversion has no rule at this time; asked once at the start, so that a hole in the tables is seen then. */
export function assertComplete(rules: PricingRules, now: number): void {
  marketAt(rules, now);
  for (const kind of ['fx', 'same-currency'] as const) {
    limitsAt(rules, kind, now);
    validityAt(rules, kind, now);
  }
  for (const symbol of ['USDC', 'USDT'] as const) {
    spreadAt(rules, symbol, now);
    feeAt(rules, symbol, now);
    pegAt(rules, symbol, now);
  }
  for (const direction of ['buy', 'sell'] as const) {
    iofAt(rules, 'same-currency', direction, null, now);
    for (const reason of Object.keys(TRADE_REASON_CODES) as TradeReason[]) iofAt(rules, 'fx', direction, reason, now);
  }
}
