import { isoTime } from '@ponte/kernel';
import type { QuoteInputs, RateInput, RequestQuotePayload, RuleInput } from '@ponte/contracts';
import type { Market, Observation, SourceReading } from '../market/market.domain';
import { feeAt, iofAt, limitsAt, marketAt, pegAt, spreadAt, validityAt } from '../rules/in-force.domain';
import { ruleInput } from '../rules/rule-rows.domain';
import type { PricingRules, RateLockRule } from '../rules/rules.domain';
import type { Conversion } from './conversion.domain';
import { pairOf } from './conversion.domain';
import { shareObservation } from './price.domain';

interface Facts {
  readonly rules: PricingRules;
  readonly market: Market;
  readonly now: number;
}

/** What the price of a request rests on: the rates with their sources, and the rows of the rules. */
export function inputsOf(
  request: RequestQuotePayload,
  conversion: Conversion,
  lock: RateLockRule | undefined,
  facts: Facts,
): QuoteInputs {
  return {
    givenAmount: request.sourceAmount ?? request.targetAmount ?? '',
    rates: ratesOf(conversion, facts.market),
    offMarketSet: conversion.form === 'fx' ? (facts.market.offMarket ?? null) : null,
    ...(conversion.form === 'fx' && facts.market.reference === null ? { referenceMissing: true } : {}),
    rulesVersion: facts.rules.version,
    rules: rulesOf(request, conversion, lock, facts),
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
  readings: readings.map(readingOf),
});

const readingOf = ({ rate, observedAt, ...reading }: SourceReading) => ({
  ...reading,
  rate: rate.toString(),
  observedAt: isoTime(observedAt),
});

function rulesOf(
  { tradeReason }: RequestQuotePayload,
  conversion: Conversion,
  lock: RateLockRule | undefined,
  { rules, now }: Facts,
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
