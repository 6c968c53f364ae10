import type { AssetId } from '@ponte/kernel';
import { Unavailable, assetOf, formatDecimal, isoTime, Rate } from '@ponte/kernel';
import type { TradeReason, RuleInput, RuleValue } from '@ponte/contracts';
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
  RateLockRule,
  SpreadRule,
  ValidityRule,
} from './rules.domain';
import { limitedAsset } from './rules.domain';

/** Whether a row or a version is in force at a moment. */
export const current = (row: Dated, now: number): boolean => row.validFrom <= now && now < row.validTo;

/** The first matching row in force, if the version itself is in force. */
const first = <T extends Dated>(rules: PricingRules, rows: readonly T[], now: number, fits: (row: T) => boolean) =>
  current(rules, now) ? rows.find((row) => fits(row) && current(row, now)) : undefined;

const missing = (table: string): never => {
  throw new Unavailable('pricing-unavailable', `no rule of ${table} is in force for this conversion`);
};

/** As {@link first}, but throws `pricing-unavailable` without a row: no price rests on a rule not in force. */
const row = <N extends RuleTable>(
  rules: PricingRules,
  table: N,
  now: number,
  fits: (row: PricingRules[N][number]) => boolean,
): PricingRules[N][number] =>
  first<PricingRules[N][number]>(rules, rules[table], now, fits) ?? missing(RULE_TABLES[table]);

/** The spread of a token. Throws if no row is in force, as do {@link feeAt} and {@link pegAt}. */
export const spreadAt = (rules: PricingRules, symbol: ForeignSymbol, now: number): SpreadRule =>
  row(rules, 'spreads', now, (one) => one.symbol === symbol);

export const feeAt = (rules: PricingRules, symbol: ForeignSymbol, now: number): FeeRule =>
  row(rules, 'fees', now, (one) => one.symbol === symbol);

export const pegAt = (rules: PricingRules, symbol: ForeignSymbol, now: number): PegRule =>
  row(rules, 'pegs', now, (one) => one.symbol === symbol);

/** A pair to look up the limits of. */
interface LimitedPair {
  readonly source: AssetId;
  readonly target: AssetId;
}

/** Whether a row of limits applies to a pair. A row names its source, its target, both or neither. */
export const isOf = ({ sourceAsset, targetAsset }: LimitRule, { source, target }: LimitedPair): boolean =>
  (sourceAsset === null || sourceAsset === source) && (targetAsset === null || targetAsset === target);

const limitsOf = (
  rules: PricingRules,
  kind: ConversionKind,
  side: LimitedSide | null,
  pair: LimitedPair,
  now: number,
) => first(rules, rules.limits, now, (row) => row.kind === kind && row.side === side && isOf(row, pair));

/** The rows that bound a quote of a pair: first the row for its BRL amount, then the rows for its sides, if any. */
export function limitsAt(
  rules: PricingRules,
  kind: ConversionKind,
  pair: LimitedPair,
  now: number,
): readonly [LimitRule, ...LimitRule[]] {
  const sides = (['source', 'target'] as const).flatMap((side) => limitsOf(rules, kind, side, pair, now) ?? []);
  return [limitsOf(rules, kind, null, pair, now) ?? missing('limits'), ...sides];
}

/** How long a quote is valid. Throws if no row is in force. */
export const validityAt = (rules: PricingRules, kind: ConversionKind, now: number): ValidityRule =>
  row(rules, 'validity', now, (one) => one.kind === kind);

export const marketAt = (rules: PricingRules, now: number): MarketRule => row(rules, 'market', now, () => true);

export const rateLockAt = (rules: PricingRules, name: string, now: number): RateLockRule | undefined =>
  first(rules, rules.rateLocks, now, (row) => row.name === name);

export const rateLocksAt = (rules: PricingRules, now: number): readonly RateLockRule[] =>
  current(rules, now) ? rules.rateLocks.filter((row) => current(row, now)) : [];

/**
 * The tax on a conversion. A row without a direction or trade reason applies to all of them. Throws if no row is in
 * force.
 */
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

/** Each table's name in the configuration. */
export const RULE_TABLES = {
  spreads: 'spreads',
  fees: 'fees',
  iof: 'iof',
  limits: 'limits',
  validity: 'quote-validity',
  rateLocks: 'rate-locks',
  pegs: 'pegs',
  market: 'market',
} as const;
export type RuleTable = keyof typeof RULE_TABLES;
export type AnyRule = FeeRule | IofRule | LimitRule | MarketRule | PegRule | RateLockRule | SpreadRule | ValidityRule;

/** The names of fields in the configuration, where they differ from the names in code. */
const NAMES: Readonly<Record<string, string>> = {
  symbol: 'token',
  kind: 'conversion',
  ppm: 'rate-ppm',
  premiumBps: 'premium-bps',
  ceilingUsd: 'ceiling-usd',
  sourceAsset: 'source-asset',
  targetAsset: 'target-asset',
  tradeReason: 'trade-reason',
  basisRef: 'basis-ref',
  deviationBps: 'deviation-bps',
  unusableDeviationBps: 'unusable-deviation-bps',
  validFrom: 'valid-from',
  validTo: 'valid-to',
  opensAt: 'opens-at',
  closesAt: 'closes-at',
  staleAfterMs: 'stale-after-seconds',
  unusableAfterMs: 'unusable-after-seconds',
  sharePriceUnusableAfterMs: 'share-price-unusable-after-seconds',
  referenceStaleAfterMs: 'reference-stale-after-seconds',
};
const SECOND_MS = 1000;
const MINUTES_PER_HOUR = 60;

/** A cache, because the rows do not change while the process runs and every quote names a few of them. */
const written = new WeakMap<Dated, RuleInput>();

/** A row of a table in the form of the configuration. */
export function ruleInput(rules: PricingRules, table: RuleTable, rule: AnyRule): RuleInput {
  const known = written.get(rule);
  if (known) return known;
  const row = (rules[table] as readonly AnyRule[]).indexOf(rule);
  const input = {
    table: RULE_TABLES[table],
    row,
    values: Object.fromEntries(
      Object.entries(rule).map(([name, value]) => [NAMES[name] ?? name, valueOf(name, value, scaleOf(name, rule))]),
    ),
  };
  written.set(rule, input);
  return input;
}

/** The bounds of a side are amounts of its asset. Every other amount is in BRL or USD. */
const scaleOf = (name: string, rule: AnyRule): number =>
  (name === 'minimum' || name === 'maximum') && 'side' in rule ? assetOf(limitedAsset(rule)).scale : 2;

function valueOf(name: string, value: unknown, scale: number): RuleValue {
  if (name === 'validFrom' || name === 'validTo') return value === Infinity ? null : isoTime(value as number);
  if (name.endsWith('Ms')) return (value as number) / SECOND_MS;
  if (name === 'opensAt' || name === 'closesAt') return timeOfDay(value as number);
  if (typeof value === 'bigint') return formatDecimal(value, scale);
  return value instanceof Rate ? value.toString() : (value as RuleValue);
}

const timeOfDay = (minutes: number): string =>
  [Math.floor(minutes / MINUTES_PER_HOUR), minutes % MINUTES_PER_HOUR]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
