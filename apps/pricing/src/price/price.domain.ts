import { Rate, tenTo } from '@ponte/kernel';
import type { TradeReason } from '@ponte/contracts';
import { isWithinBound, usable } from '../market/conditions.domain';
import type { Market, Observation } from '../market/market.domain';
import { feeAt, iofAt, marketAt, pegAt, spreadAt } from '../rules/in-force.domain';
import type { IofRule, PricingRules, RateLockRule } from '../rules/rules.domain';
import type { Given } from '../quote/quote-violations.domain';
import { minorOf } from '../quote/quote-violations.domain';
import type {
  Conversion,
  FxConversion,
  ParConversion,
  ShareConversion,
  FxTerms,
  Priced,
  SameCurrencyTerms,
} from './conversion.domain';
import {
  buyForTarget,
  buyFromSource,
  sellForTarget,
  sellFromSource,
  buySharesForTarget,
  buySharesFromSource,
  centavosAtPar,
  mintAtPar,
  redeemAtPar,
  sellSharesForTarget,
  sellSharesFromSource,
} from './conversion.domain';

/** The rate 1, scaled by 10^10. */
const ONE = 10n ** 10n;
const PAR = Rate.of('BRLV', 'BRL', ONE);
const BRL_SCALE = 2;

/**
 * BRL for one token at this moment. Undefined if no source has reported it, the last value is too old, or the rules
 * bound its distance from the reference and it is too far away or cannot be compared.
 */
export function baseRate(conversion: Conversion, market: Market, rules: PricingRules, now: number): Rate | undefined {
  switch (conversion.form) {
    case 'par':
      return PAR;
    case 'share':
      return usable(shareObservation(conversion, market), marketAt(rules, now).sharePriceUnusableAfterMs, now);
    case 'fx': {
      const rule = marketAt(rules, now);
      const usd = usable(market.usdBrl, rule.unusableAfterMs, now);
      if (usd === undefined || !isWithinBound(usd, market, rule, now)) return undefined;
      return Rate.of(conversion.symbol, 'BRL', (usd.scaled * pegAt(rules, conversion.symbol, now).usd.scaled) / ONE);
    }
  }
}

/** The share price by direction. A vault rounds in its favour: a new share may cost more than redeeming one yields. */
export const shareObservation = (
  { direction }: Pick<Conversion, 'direction'>,
  { sharePrice, shareCost }: Market,
): Observation | undefined => (direction === 'buy' ? (shareCost ?? sharePrice) : sharePrice);

/** The charges on top of the base rate. `bps` includes the premium of a rate lock; `fee` is in centavos. */
export interface Charges {
  readonly bps: number;
  readonly fee: bigint;
  readonly iof: IofRule;
}

/** The charges in force at `now`. Only FX has a spread and a fee, and only FX is taxed by trade reason. */
export function chargesOf(
  conversion: Conversion,
  reason: TradeReason | null,
  lock: RateLockRule | undefined,
  rules: PricingRules,
  now: number,
): Charges {
  const iof = iofAt(rules, conversion.kind, conversion.direction, conversion.kind === 'fx' ? reason : null, now);
  if (conversion.form !== 'fx') return { bps: 0, fee: 0n, iof };
  return {
    bps: spreadAt(rules, conversion.symbol, now).bps + (lock?.premiumBps ?? 0),
    fee: feeAt(rules, conversion.symbol, now).amount,
    iof,
  };
}

/** Both amounts and their components. Undefined if one of the amounts would not be above zero. */
export function priceAmounts(conversion: Conversion, given: Given, rate: Rate, charges: Charges): Priced | undefined {
  switch (conversion.form) {
    case 'fx':
      return fxAmounts(conversion, given, fxTermsOf(conversion, rate, charges));
    case 'par':
      return parAmounts(conversion, given);
    case 'share':
      return shareAmounts(conversion, given, rate);
  }
}

/** The inputs of the formulas of FX, as whole numbers. */
const fxTermsOf = (conversion: FxConversion, rate: Rate, charges: Charges): FxTerms => ({
  rate: rate.scaled,
  unit: conversion.unit,
  bps: BigInt(charges.bps),
  iofPpm: BigInt(charges.iof.ppm),
  fee: charges.fee,
});

function fxAmounts(conversion: FxConversion, given: Given, terms: FxTerms): Priced | undefined {
  if (conversion.direction === 'buy') {
    return given.side === 'source'
      ? buyFromSource(minorOf(given, BRL_SCALE), terms)
      : buyForTarget(minorOf(given, conversion.scale), terms);
  }
  return given.side === 'source'
    ? sellFromSource(minorOf(given, conversion.scale), terms)
    : sellForTarget(minorOf(given, BRL_SCALE), terms);
}

function parAmounts(conversion: ParConversion, given: Given): Priced | undefined {
  const terms: SameCurrencyTerms = { perCentavo: tenTo(conversion.scale - BRL_SCALE) };
  const givenBrl = (given.side === 'source') === (conversion.direction === 'buy');
  const centavos = givenBrl ? minorOf(given, BRL_SCALE) : centavosAtPar(minorOf(given, conversion.scale), terms);
  return conversion.direction === 'buy' ? mintAtPar(centavos, terms) : redeemAtPar(centavos, terms);
}

function shareAmounts(conversion: ShareConversion, given: Given, rate: Rate): Priced | undefined {
  const terms = { rate: rate.scaled, unit: conversion.unit };
  if (conversion.direction === 'buy') {
    return given.side === 'source'
      ? buySharesFromSource(minorOf(given, BRL_SCALE), terms)
      : buySharesForTarget(minorOf(given, conversion.scale), terms);
  }
  return given.side === 'source'
    ? sellSharesFromSource(minorOf(given, conversion.scale), terms)
    : sellSharesForTarget(minorOf(given, BRL_SCALE), terms);
}
