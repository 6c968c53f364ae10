import type { AssetId } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import type { TradeReason } from '@ponte/contracts';
import { PAIRS, TRADE_REASON_CODES } from '@ponte/contracts';
import type { ConversionKind, Direction, ForeignSymbol } from '../price/conversion.domain';
import type {
  Dated,
  FeeRule,
  IofRule,
  LimitedSide,
  LimitRule,
  MarketRule,
  PegRule,
  PricingRules,
} from './rules.domain';
import type { RateLockRule, SpreadRule, ValidityRule } from './rules.domain';
import type { RuleTable } from './rule-rows.domain';
import { RULE_TABLES } from './rule-rows.domain';

const current = (row: Dated, now: number): boolean => row.validFrom <= now && now < row.validTo;

/** The first row that is in force and fits, of a version that is itself in force. */
const first = <T extends Dated>(rules: PricingRules, rows: readonly T[], now: number, fits: (row: T) => boolean) =>
  current(rules, now) ? rows.find((row) => fits(row) && current(row, now)) : undefined;

const missing = (table: string): never => {
  throw new Unavailable('pricing-unavailable', `no rule of ${table} is in force for this conversion`);
};

/** As {@link first}. Nothing is priced by a rule that is not in force: without a row, `pricing-unavailable`. */
const row = <N extends RuleTable>(
  rules: PricingRules,
  table: N,
  now: number,
  fits: (row: PricingRules[N][number]) => boolean,
): PricingRules[N][number] =>
  first<PricingRules[N][number]>(rules, rules[table], now, fits) ?? missing(RULE_TABLES[table]);

export const spreadAt = (rules: PricingRules, symbol: ForeignSymbol, now: number): SpreadRule =>
  row(rules, 'spreads', now, (one) => one.symbol === symbol);

export const feeAt = (rules: PricingRules, symbol: ForeignSymbol, now: number): FeeRule =>
  row(rules, 'fees', now, (one) => one.symbol === symbol);

export const pegAt = (rules: PricingRules, symbol: ForeignSymbol, now: number): PegRule =>
  row(rules, 'pegs', now, (one) => one.symbol === symbol);

/** What limits are set for. */
export interface LimitedPair {
  readonly source: AssetId;
  readonly target: AssetId;
}

/** Whether a row of limits is for a pair; a row names its source, its target, both or neither. */
export const isOf = ({ sourceAsset, targetAsset }: LimitRule, { source, target }: LimitedPair): boolean =>
  (sourceAsset === null || sourceAsset === source) && (targetAsset === null || targetAsset === target);

const limitsOf = (
  rules: PricingRules,
  kind: ConversionKind,
  side: LimitedSide | null,
  pair: LimitedPair,
  now: number,
) => first(rules, rules.limits, now, (row) => row.kind === kind && row.side === side && isOf(row, pair));

/** The rows that bound a quote of a pair: first that of its BRL amount, then those of its sides, if any. */
export function limitsAt(
  rules: PricingRules,
  kind: ConversionKind,
  pair: LimitedPair,
  now: number,
): readonly [LimitRule, ...LimitRule[]] {
  const sides = (['source', 'target'] as const).flatMap((side) => limitsOf(rules, kind, side, pair, now) ?? []);
  return [limitsOf(rules, kind, null, pair, now) ?? missing('limits'), ...sides];
}

export const validityAt = (rules: PricingRules, kind: ConversionKind, now: number): ValidityRule =>
  row(rules, 'validity', now, (one) => one.kind === kind);

export const marketAt = (rules: PricingRules, now: number): MarketRule => row(rules, 'market', now, () => true);

/** Undefined for a lock that is not offered. */
export const rateLockAt = (rules: PricingRules, name: string, now: number): RateLockRule | undefined =>
  first(rules, rules.rateLocks, now, (row) => row.name === name);

/** Every lock that is offered. */
export const rateLocksAt = (rules: PricingRules, now: number): readonly RateLockRule[] =>
  current(rules, now) ? rules.rateLocks.filter((row) => current(row, now)) : [];

export const iofAt = (
  rules: PricingRules,
  kind: ConversionKind,
  direction: Direction,
  reason: TradeReason | null,
  now: number,
): IofRule =>
  row(
    rules,
    'iof',
    now,
    (one) =>
      one.kind === kind &&
      (one.direction === null || one.direction === direction) &&
      (one.tradeReason === null || one.tradeReason === reason),
  );

/**
 * The rows in force at a moment, as if they were in force at any time: what quotes of another time would cost by them.
 */
export function rulesOfMoment(rules: PricingRules, at: number): PricingRules {
  const always = <T extends Dated>(rows: readonly T[]): T[] =>
    rows.flatMap((row) => (current(row, at) ? [{ ...row, validFrom: 0, validTo: Infinity }] : []));
  const { spreads, fees, iof, limits, validity, rateLocks, pegs, market } = rules;
  return {
    ...rules,
    validFrom: current(rules, at) ? 0 : Infinity,
    validTo: Infinity,
    spreads: always(spreads),
    fees: always(fees),
    iof: always(iof),
    limits: always(limits),
    validity: always(validity),
    rateLocks: always(rateLocks),
    pegs: always(pegs),
    market: always(market),
  };
}

/**
 * Throws when some conversion has no rule at this time; asked once at the start, so that a hole in the tables is seen
 * then.
 */
export function assertComplete(rules: PricingRules, now: number): void {
  marketAt(rules, now);
  for (const pair of PAIRS) limitsAt(rules, pair.conversion, pair, now);
  for (const kind of ['fx', 'same-currency'] as const) {
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
