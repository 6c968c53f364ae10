import { assetOf, formatDecimal, isoTime, Rate } from '@ponte/kernel';
import type { RuleInput, RuleValue } from '@ponte/contracts';
import type {
  Dated,
  FeeRule,
  IofRule,
  LimitRule,
  MarketRule,
  PegRule,
  PricingRules,
  RateLockRule,
  SpreadRule,
  ValidityRule,
} from './rules.domain';
import { limitedAsset } from './rules.domain';

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

/** Member names of the configuration, where they are not the member's own name. */
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

/** The rows do not change while the process runs, and every quote names a few of them. */
const written = new WeakMap<Dated, RuleInput>();

/** A row of a table as the configuration has it. */
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

/** Every row of every table. */
export const allRules = (rules: PricingRules): RuleInput[] =>
  (Object.keys(RULE_TABLES) as RuleTable[]).flatMap((table) =>
    (rules[table] as readonly AnyRule[]).map((rule) => ruleInput(rules, table, rule)),
  );

/** Bounds of a side are amounts of its asset; every other amount is one of BRL or USD. */
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
