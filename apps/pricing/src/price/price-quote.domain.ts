import type { AssetId, Violation, Rate } from '@ponte/kernel';
import { formatDecimal, isoTime, Refusal, refuseAll, Unavailable } from '@ponte/kernel';
import type {
  IssuedQuote,
  QuotePricing,
  RateText,
  RequestQuotePayload,
  QuoteInputs,
  RateInput,
  RuleInput,
} from '@ponte/contracts';
import { isOffMarket } from '../market/conditions.domain';
import type { Market, Observation } from '../market/market.domain';
import { marketAt, validityAt, feeAt, iofAt, limitsAt, pegAt, spreadAt, ruleInput } from '../rules/in-force.domain';
import type { PricingRules, RateLockRule } from '../rules/rules.domain';
import type { QuotingAccount, Side } from '../quote/quote-violations.domain';
import {
  accountViolations,
  lockOf,
  refuseInactive,
  givenAmount,
  isViolation,
  limitViolations,
  sidesOf,
} from '../quote/quote-violations.domain';
import type { Conversion, Priced } from './conversion.domain';
import { BRL, conversionOf, pairOf } from './conversion.domain';
import type { Charges } from './price.domain';
import { baseRate, chargesOf, priceAmounts, shareObservation } from './price.domain';

/** Everything that a price depends on besides the request, collected at one moment. */
export interface PricingFacts {
  readonly rules: PricingRules;
  readonly market: Market;
  readonly account: QuotingAccount;
  /** Whether a pair can be ordered. A pair that cannot be ordered is not quoted. */
  readonly isOrderable: (source: AssetId, target: AssetId) => boolean;
  /** The only clock reading of the quote, in epoch milliseconds of business time. */
  readonly now: number;
}

const RATE_SCALE = 10;
const SECOND_MS = 1000;
const UNSUPPORTED: Violation = {
  code: 'asset-pair-not-supported',
  path: 'target-asset',
  message: 'this asset pair cannot be converted; GET /api/v1/pairs lists those that can',
};

/**
 * The terms of a new quote. Refuses with all violations in the order of the rules. Throws `pricing-unavailable` if the
 * request has no violation but no usable rate is known.
 */
export function priceQuote(request: RequestQuotePayload, facts: PricingFacts): IssuedQuote {
  const { rules, market, account, now } = facts;
  refuseInactive(account);
  const given = givenAmount(request.sourceAmount, request.targetAmount);
  const conversion = facts.isOrderable(request.sourceAsset, request.targetAsset)
    ? conversionOf(request.sourceAsset, request.targetAsset)
    : undefined;
  const violations = isViolation(given) ? [given] : [];
  if (conversion === undefined) throw new Refusal([...violations, UNSUPPORTED]);
  const lock = lockOf(request, conversion, rules, now);
  violations.push(...accountViolations(request, conversion, account, lock !== undefined));
  if (isViolation(given)) throw new Refusal(violations);
  const rate = baseRate(conversion, market, rules, now);
  if (rate === undefined) {
    refuseAll(violations);
    throw new Unavailable('pricing-unavailable', 'no usable rate is known at the moment');
  }
  const charges = chargesOf(conversion, request.tradeReason, lock, rules, now);
  const priced = priceAmounts(conversion, given, rate, charges);
  violations.push(...limitViolations(conversion, priced, given.side, rules, now));
  refuseAll(violations);
  if (priced === undefined) throw new Error('an amount without a price was not refused');
  return termsOf(request, facts, { conversion, given: given.side, rate, lock, charges, priced });
}

interface Decided {
  readonly conversion: Conversion;
  readonly given: Side;
  readonly rate: Rate;
  readonly lock: RateLockRule | undefined;
  readonly charges: Charges;
  readonly priced: Priced;
}

function termsOf(request: RequestQuotePayload, facts: PricingFacts, decided: Decided): IssuedQuote {
  const { rules, market, now } = facts;
  const { conversion, priced, rate, lock, charges } = decided;
  const fx = conversion.kind === 'fx';
  const seconds = lock?.seconds ?? validityAt(rules, conversion.kind, now).seconds;
  const { brl, token } = sidesOf(conversion, priced);
  const brlText = formatDecimal(brl, 2);
  const tokenText = formatDecimal(token, conversion.scale);
  const buying = conversion.direction === 'buy';
  return {
    quoteId: request.quoteId,
    accountId: request.accountId,
    scope: request.scope,
    sourceAsset: request.sourceAsset,
    targetAsset: request.targetAsset,
    sourceAmount: buying ? brlText : tokenText,
    targetAmount: buying ? tokenText : brlText,
    givenSide: decided.given,
    createdAt: isoTime(now),
    expiresAt: isoTime(now + seconds * SECOND_MS),
    pricing: pricingOf(rate, charges, priced),
    offMarketPricing: fx && isOffMarket(market, marketAt(rules, now), now),
    vet: vetOf(conversion, rate, priced),
    tradeReason: fx ? request.tradeReason : null,
    rateLock: lock?.name ?? null,
    inputs: inputsOf(request, facts, conversion, lock),
  };
}

const pricingOf = (rate: Rate, { bps, iof }: Charges, priced: Priced): QuotePricing => ({
  baseRate: { amount: rate.toString(), base: rate.base, quote: rate.quote },
  spread: { amount: formatDecimal(priced.spread, 2), asset: BRL, bps },
  fee: { amount: formatDecimal(priced.fee, 2), asset: BRL, kind: 'fixed' },
  iof: { amount: formatDecimal(priced.iof, 2), asset: BRL, applicable: iof.applicable, basisRef: iof.basisRef },
});

/** The all-in rate (VET): BRL paid or received for one token, floored to ten decimals. */
function vetOf(conversion: Conversion, rate: Rate, priced: Priced): RateText {
  const { brl, token } = sidesOf(conversion, priced);
  return { amount: formatDecimal((brl * conversion.unit) / token, RATE_SCALE), base: rate.base, quote: rate.quote };
}

/** The inputs of a price: the rates with their sources, and the rows of the rules. */
function inputsOf(
  request: RequestQuotePayload,
  facts: PricingFacts,
  conversion: Conversion,
  lock: RateLockRule | undefined,
): QuoteInputs {
  const { market, rules } = facts;
  return {
    givenAmount: request.sourceAmount ?? request.targetAmount ?? '',
    rates: ratesOf(conversion, market),
    offMarketSet: conversion.form === 'fx' ? (market.offMarket ?? null) : null,
    ...(conversion.form === 'fx' && market.reference === null ? { referenceMissing: true } : {}),
    rulesVersion: rules.version,
    rules: rulesOf(request, facts, conversion, lock),
  };
}

function ratesOf(conversion: Conversion, market: Market): RateInput[] {
  const { usdBrl, reference } = market;
  const share = shareObservation(conversion, market);
  switch (conversion.form) {
    case 'par':
      return [];
    case 'share':
      return share ? [rateInput('share-price', share)] : [];
    case 'fx':
      return [
        ...(usdBrl ? [rateInput('usd-brl', usdBrl)] : []),
        ...(reference ? [rateInput('reference', reference)] : []),
      ];
  }
}

const rateInput = (
  of: RateInput['of'],
  { rate, observedAt, source, blockNumber, readings = [] }: Observation,
): RateInput => ({
  of,
  rate: rate.toString(),
  source: source ?? of,
  observedAt: isoTime(observedAt),
  ...(blockNumber === undefined ? {} : { blockNumber }),
  readings: readings.map((one) => ({ ...one, rate: one.rate.toString(), observedAt: isoTime(one.observedAt) })),
});

function rulesOf(
  { tradeReason }: RequestQuotePayload,
  { rules, now }: PricingFacts,
  conversion: Conversion,
  lock: RateLockRule | undefined,
): RuleInput[] {
  const { kind, direction, form } = conversion;
  const common = [
    ruleInput(rules, 'iof', iofAt(rules, kind, direction, kind === 'fx' ? tradeReason : null, now)),
    ...limitsAt(rules, kind, pairOf(conversion), now).map((row) => ruleInput(rules, 'limits', row)),
    ...(lock ? [ruleInput(rules, 'rateLocks', lock)] : [ruleInput(rules, 'validity', validityAt(rules, kind, now))]),
  ];
  if (form === 'par') return common;
  if (form === 'share') return [...common, ruleInput(rules, 'market', marketAt(rules, now))];
  const { symbol } = conversion;
  return [
    ruleInput(rules, 'spreads', spreadAt(rules, symbol, now)),
    ruleInput(rules, 'fees', feeAt(rules, symbol, now)),
    ruleInput(rules, 'pegs', pegAt(rules, symbol, now)),
    ...common,
    ruleInput(rules, 'market', marketAt(rules, now)),
  ];
}
