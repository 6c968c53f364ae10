import { canonicalJson, derivedId, Rate } from '@ponte/kernel';
import type { TradeReason } from '@ponte/contracts';
import { TRADE_REASON_CODES } from '@ponte/contracts';
import { fail, RuleReader } from './reading';
import type { Dated, IofRule, LimitRule, MarketRule, PegRule, PricingRules } from './rules';

const SYMBOLS = ['USDC', 'USDT'] as const;
const KINDS = ['fx', 'same-currency'] as const;
const DIRECTIONS = ['buy', 'sell'] as const;
const REASONS = Object.keys(TRADE_REASON_CODES) as TradeReason[];

/** Without a spread the centavo that flooring leaves would be the customer's at every quote. */
const LEAST_FX_SPREAD_BPS = 1;
/** Spread and a lock's premium together stay below 100 %, which the formula of a sale divides by. */
const MOST_BPS = 4_999;
const MOST_PPM = 999_999;
const MOST_SECONDS = 7 * 24 * 3600;
const SECOND_MS = 1000;

/** Reads the rule tables from JSON. Throws an Error that names the place of the first mistake. */
export function readRules(json: unknown): PricingRules {
  const tables = RuleReader.of(json, '');
  const rules: PricingRules = {
    version: derivedId('pricing-rules', canonicalJson(json)),
    spreads: tables.rows('spreads', (row) => ({ ...dated(row), symbol: row.oneOf('token', SYMBOLS), bps: row.integer('bps', LEAST_FX_SPREAD_BPS, MOST_BPS) })),
    fees: tables.rows('fees', (row) => ({ ...dated(row), symbol: row.oneOf('token', SYMBOLS), amount: row.hundredths('amount') })),
    iof: tables.rows('iof', iofRule),
    limits: tables.rows('limits', limitRule),
    validity: tables.rows('quote-validity', (row) => ({ ...dated(row), kind: row.oneOf('conversion', KINDS), seconds: row.integer('seconds', 1, MOST_SECONDS) })),
    rateLocks: tables.rows('rate-locks', (row) => ({
      ...dated(row), name: row.text('name'), premiumBps: row.integer('premium-bps', 0, MOST_BPS), seconds: row.integer('seconds', 1, MOST_SECONDS),
    })),
    pegs: tables.rows('pegs', pegRule),
    market: tables.rows('market', marketRule),
  };
  tables.end();
  return rules;
}

function dated(row: RuleReader): Dated {
  const validFrom = row.instantOrInfinity('valid-from');
  const validTo = row.instantOrInfinity('valid-to');
  if (validFrom !== Infinity && validTo <= validFrom) fail(`${row.path}.valid-to`, 'later than valid-from');
  return { validFrom, validTo };
}

function iofRule(row: RuleReader): IofRule {
  const rule: IofRule = {
    ...dated(row),
    kind: row.oneOf('conversion', KINDS),
    tradeReason: row.oneOfOrNull('trade-reason', REASONS),
    direction: row.oneOfOrNull('direction', DIRECTIONS),
    ppm: row.integer('rate-ppm', 0, MOST_PPM),
    applicable: row.flag('applicable'),
    basisRef: row.text('basis-ref'),
  };
  if (!rule.applicable && rule.ppm !== 0) fail(`${row.path}.rate-ppm`, '0 where the tax is not applicable');
  if (rule.kind === 'same-currency' && rule.applicable) fail(`${row.path}.applicable`, 'false for a same-currency conversion');
  return rule;
}

function limitRule(row: RuleReader): LimitRule {
  const rule: LimitRule = {
    ...dated(row),
    kind: row.oneOf('conversion', KINDS),
    minimum: row.hundredths('minimum'),
    maximum: row.hundredths('maximum'),
    ceilingUsd: row.hundredthsOrNull('ceiling-usd'),
  };
  if (rule.minimum <= 0n) fail(`${row.path}.minimum`, 'above zero');
  if (rule.maximum < rule.minimum) fail(`${row.path}.maximum`, 'no less than the minimum');
  return rule;
}

function pegRule(row: RuleReader): PegRule {
  const symbol = row.oneOf('token', SYMBOLS);
  return { ...dated(row), symbol, usd: Rate.parse(symbol, 'USD', row.text('usd')) };
}

function marketRule(row: RuleReader): MarketRule {
  const rule: MarketRule = {
    ...dated(row),
    staleAfterMs: row.integer('stale-after-seconds', 1, MOST_SECONDS) * SECOND_MS,
    unusableAfterMs: row.integer('unusable-after-seconds', 1, MOST_SECONDS) * SECOND_MS,
    sharePriceUnusableAfterMs: row.integer('share-price-unusable-after-seconds', 1, MOST_SECONDS) * SECOND_MS,
    deviationBps: row.integer('deviation-bps', 1, MOST_BPS),
    weekdays: row.weekdays('weekdays'),
    opensAt: row.minuteOfDay('opens-at'),
    closesAt: row.minuteOfDay('closes-at'),
    holidays: row.dates('holidays'),
  };
  if (rule.unusableAfterMs < rule.staleAfterMs) fail(`${row.path}.unusable-after-seconds`, 'no less than stale-after-seconds');
  return rule;
}
