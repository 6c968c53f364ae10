import type { AssetId } from '@ponte/kernel';
import { ASSET_IDS, assetOf, canonicalJson, derivedId, formatDecimal, Rate } from '@ponte/kernel';
import type { RuleViolation, TradeReason } from '@ponte/contracts';
import { PAIRS, TRADE_REASON_CODES } from '@ponte/contracts';
import { overlaps } from './coverage.domain';
import { RuleReader, RulesInvalid } from './reading.domain';
import type {
  Dated,
  FeeRule,
  IofRule,
  LimitRule,
  MarketRule,
  PegRule,
  PricingRules,
  RateLockRule,
} from './rules.domain';
import type { SpreadRule, ValidityRule } from './rules.domain';
import { limitedAsset } from './rules.domain';
import { isOf } from './in-force.domain';

const SYMBOLS = ['USDC', 'USDT'] as const;
const KINDS = ['fx', 'same-currency'] as const;
const DIRECTIONS = ['buy', 'sell'] as const;
const SIDES = ['source', 'target'] as const;
const ASSETS = ASSET_IDS as readonly [AssetId, ...AssetId[]];
const REASONS = Object.keys(TRADE_REASON_CODES) as [TradeReason, ...TradeReason[]];

/** Without a spread, the customer would gain the floored fraction of a centavo at every quote. */
const MIN_FX_SPREAD_BPS = 1;
/** Below 10.00 BRL, what is cut off in rounding can exceed the spread, so that dust quotes would gain. */
const MIN_FX_MINIMUM = 10_00n;
/** Without a premium, keeping a rate for longer would be a free option. */
const MIN_PREMIUM_BPS = 1;
/** The spread and a lock's premium together must stay below 100 %, because the sale formula divides by 1 - s. */
const MAX_BPS = 4_999;
const MAX_PPM = 999_999;
const MAX_SECONDS = 7 * 24 * 3600;
/** Six days: on Ash Wednesday, the official rate of the Friday before is five days old until the afternoon. */
const REFERENCE_STALE_AFTER_SECONDS = 6 * 24 * 3600;
const SECOND_MS = 1000;
/** From 0.5 to 1.5. No feed confirms a peg, so only these bounds find one that is wrong by a factor of ten. */
const PEG = /^(0\.[5-9]\d{0,9}|1|1\.[0-4]\d{0,9}|1\.50{0,9})$/;

type Refuse = RuleReader['refuse'];

/** Reads the rules from JSON. Throws {@link RulesInvalid} with every violation, including overlapping rows. */
export function readRules(json: unknown): PricingRules {
  const document = RuleReader.ofDocument(json);
  const rules: PricingRules = {
    version: derivedId('pricing-rules', canonicalJson(json)),
    ...headOf(document),
    spreads: document.rows('spreads', spreadRule, validateDates),
    fees: document.rows('fees', feeRule, validateDates),
    iof: document.rows('iof', iofRule, validateIof),
    limits: document.rows('limits', limitRule, validateLimits),
    validity: document.rows('quote-validity', validityRule, validateDates),
    rateLocks: document.rows('rate-locks', rateLockRule, validateDates),
    pegs: document.rows('pegs', pegRule, validateDates),
    market: document.rows('market', marketRule, validateMarket),
  };
  document.end();
  document.assertSound();
  const violations = overlaps(rules);
  if (violations.length > 0) throw new RulesInvalid(violations);
  return rules;
}

/** As {@link readRules}, but returns the violations instead of throwing. */
export function readOrViolations(json: unknown): { rules?: PricingRules; violations: readonly RuleViolation[] } {
  try {
    return { rules: readRules(json), violations: [] };
  } catch (error) {
    if (error instanceof RulesInvalid) return { violations: error.violations };
    throw error;
  }
}

/** The name and validity of the whole version, from the field `version`. Rules without it are valid at any time. */
function headOf(document: RuleReader): Pick<PricingRules, 'id' | 'validFrom' | 'validTo'> {
  const head = document.objectOrNull('version');
  if (head === null) return { id: null, validFrom: -Infinity, validTo: Infinity };
  const [id, from, to] = [head.text('id'), head.instantOrInfinity('valid-from'), head.instantOrInfinity('valid-to')];
  const validFrom = from === Infinity ? -Infinity : from;
  if (to <= validFrom) head.refuse('valid-to', 'later than valid-from');
  head.end();
  return { id, validFrom, validTo: to };
}

const dated = (row: RuleReader): Dated => ({
  validFrom: row.instantOrInfinity('valid-from'),
  validTo: row.instantOrInfinity('valid-to'),
});

function validateDates({ validFrom, validTo }: Dated, refuse: Refuse): void {
  if (validFrom !== Infinity && validTo <= validFrom) refuse('valid-to', 'later than valid-from');
}

const spreadRule = (row: RuleReader): SpreadRule => ({
  ...dated(row),
  symbol: row.oneOf('token', SYMBOLS),
  bps: row.integer('bps', MIN_FX_SPREAD_BPS, MAX_BPS),
});

const feeRule = (row: RuleReader): FeeRule => ({
  ...dated(row),
  symbol: row.oneOf('token', SYMBOLS),
  amount: row.minor('amount', 2),
});

const validityRule = (row: RuleReader): ValidityRule => ({
  ...dated(row),
  kind: row.oneOf('conversion', KINDS),
  seconds: row.integer('seconds', 1, MAX_SECONDS),
});

const rateLockRule = (row: RuleReader): RateLockRule => ({
  ...dated(row),
  name: row.text('name'),
  premiumBps: row.integer('premium-bps', MIN_PREMIUM_BPS, MAX_BPS),
  seconds: row.integer('seconds', 1, MAX_SECONDS),
});

const iofRule = (row: RuleReader): IofRule => ({
  ...dated(row),
  kind: row.oneOf('conversion', KINDS),
  tradeReason: row.oneOfOrNull('trade-reason', REASONS),
  direction: row.oneOfOrNull('direction', DIRECTIONS),
  ppm: row.integer('rate-ppm', 0, MAX_PPM),
  applicable: row.flag('applicable'),
  basisRef: row.text('basis-ref'),
});

function validateIof(rule: IofRule, refuse: Refuse): void {
  validateDates(rule, refuse);
  if (!rule.applicable && rule.ppm !== 0) refuse('rate-ppm', '0 where the tax is not applicable');
  if (rule.kind === 'same-currency' && rule.applicable) refuse('applicable', 'false for a same-currency conversion');
}

function limitRule(row: RuleReader): LimitRule {
  const fits = {
    kind: row.oneOf('conversion', KINDS),
    sourceAsset: row.absentOrNull('source-asset', (name) => row.oneOf(name, ASSETS)),
    targetAsset: row.absentOrNull('target-asset', (name) => row.oneOf(name, ASSETS)),
    side: row.absentOrNull('side', (name) => row.oneOf(name, SIDES)),
    ceilingUsd: row.hundredthsOrNull('ceiling-usd'),
  };
  const { scale } = assetOf(limitedAsset({ ...fits, minimum: 0n, maximum: 0n }));
  return { ...dated(row), ...fits, minimum: row.minor('minimum', scale), maximum: row.minor('maximum', scale) };
}

function validateLimits(rule: LimitRule, refuse: Refuse): void {
  validateDates(rule, refuse);
  const { kind, sourceAsset, targetAsset, side } = rule;
  if (!PAIRS.some((pair) => pair.conversion === kind && isOf(rule, pair)))
    refuse(
      'conversion',
      `a conversion that the pair has: ${sourceAsset ?? 'any'} to ${targetAsset ?? 'any'} is not ${kind}`,
    );
  if (side !== null && (side === 'source' ? sourceAsset : targetAsset) === null)
    refuse(`${side}-asset`, `an asset, because side is ${side}`);
  if (side !== null && rule.ceilingUsd !== null) refuse('ceiling-usd', 'null if side is set');
  if (rule.minimum <= 0n) refuse('minimum', 'greater than zero');
  else if (kind === 'fx' && side === null && rule.minimum < MIN_FX_MINIMUM)
    refuse('minimum', `at least ${formatDecimal(MIN_FX_MINIMUM, 2)} for FX`);
  if (rule.maximum < rule.minimum) refuse('maximum', 'no less than the minimum');
  if (rule.ceilingUsd !== null && rule.ceilingUsd <= 0n) refuse('ceiling-usd', 'greater than zero, or null');
}

function pegRule(row: RuleReader): PegRule {
  const symbol = row.oneOf('token', SYMBOLS);
  const text = row.text('usd');
  const valid = PEG.test(text);
  if (!valid) row.refuse('usd', 'a rate from 0.5 to 1.5 with at most 10 decimals');
  return { ...dated(row), symbol, usd: Rate.parse(symbol, 'USD', valid ? text : '1') };
}

const marketRule = (row: RuleReader): MarketRule => ({
  ...dated(row),
  staleAfterMs: row.integer('stale-after-seconds', 1, MAX_SECONDS) * SECOND_MS,
  unusableAfterMs: row.integer('unusable-after-seconds', 1, MAX_SECONDS) * SECOND_MS,
  sharePriceUnusableAfterMs: row.integer('share-price-unusable-after-seconds', 1, MAX_SECONDS) * SECOND_MS,
  referenceStaleAfterMs:
    (row.integerOrNull('reference-stale-after-seconds', 1, MAX_SECONDS) ?? REFERENCE_STALE_AFTER_SECONDS) * SECOND_MS,
  deviationBps: row.integer('deviation-bps', 1, MAX_BPS),
  unusableDeviationBps: row.integerOrNull('unusable-deviation-bps', 1, MAX_BPS),
  weekdays: row.weekdays('weekdays'),
  opensAt: row.minuteOfDay('opens-at'),
  closesAt: row.minuteOfDay('closes-at'),
  holidays: row.dates('holidays'),
});

function validateMarket(rule: MarketRule, refuse: Refuse): void {
  validateDates(rule, refuse);
  if (rule.unusableAfterMs < rule.staleAfterMs) refuse('unusable-after-seconds', 'no less than stale-after-seconds');
  if (rule.unusableDeviationBps !== null && rule.unusableDeviationBps < rule.deviationBps)
    refuse('unusable-deviation-bps', 'no less than deviation-bps, or null');
  if (rule.closesAt <= rule.opensAt) refuse('closes-at', 'later than opens-at');
}
