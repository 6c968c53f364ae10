import type { Rate } from '@ponte/kernel';
import { divFloor, formatDecimal, mulCeil, mulFloor } from '@ponte/kernel';
import type { AccountLimits } from '@ponte/contracts';
import type { Market } from '../market/market';
import { limitsAt, pegAt } from '../rules/in-force';
import type { PricingRules } from '../rules/rules';
import type { Conversion, FxConversion } from './conversion';
import { BRL, CONVERTIBLE_TOKENS, conversionOf } from './conversion';
import { buyFromSource, leastToSell } from './fx-formulas';
import { baseRate, chargesOf, fxTermsOf } from './price';

/**
 * The bounds of one quote, per asset and in that asset: BRL first, then each token that is converted with it. A token's
 * bounds hold both ways, with the default spread and the rate of this moment; while its rate is not known it is left out.
 */
export function limitsOf(market: Market, rules: PricingRules, now: number): AccountLimits[] {
  const brl = limitsAt(rules, 'same-currency', now);
  const limits = [entry(BRL, 2, brl.minimum, brl.maximum)];
  for (const token of CONVERTIBLE_TOKENS) {
    const conversion = conversionOf(token, BRL);
    const bounds = conversion && tokenBounds(conversion, market, rules, now);
    if (bounds) limits.push(entry(token, conversion.scale, bounds.minimum, bounds.maximum));
  }
  return limits;
}

interface Bounds { readonly minimum: bigint; readonly maximum: bigint }

function tokenBounds(conversion: Conversion, market: Market, rules: PricingRules, now: number): Bounds | undefined {
  const rate = baseRate(conversion, market, rules, now);
  if (rate === undefined) return undefined;
  if (conversion.form === 'fx') return fxBounds(conversion, rate, rules, now);
  const limits = limitsAt(rules, conversion.kind, now);
  return { minimum: mulCeil(limits.minimum, conversion.unit, rate.scaled), maximum: mulFloor(limits.maximum, conversion.unit, rate.scaled) };
}

function fxBounds(conversion: FxConversion, rate: Rate, rules: PricingRules, now: number): Bounds {
  const limits = limitsAt(rules, 'fx', now);
  const terms = fxTermsOf(conversion, rate, chargesOf(conversion, 'transfer-between-same-entity-accounts', undefined, rules, now));
  const minimum = leastToSell(limits.minimum, terms);
  const maximum = buyFromSource(limits.maximum, terms)?.target ?? 0n;
  if (limits.ceilingUsd === null) return { minimum, maximum };
  const ceiling = divFloor(limits.ceilingUsd * conversion.unit, pegAt(rules, conversion.symbol, now).usd.scaled);
  return { minimum, maximum: ceiling < maximum ? ceiling : maximum };
}

const entry = (asset: AccountLimits['asset'], scale: number, minimum: bigint, maximum: bigint): AccountLimits => ({
  asset, minimum: formatDecimal(minimum, scale), maximum: formatDecimal(maximum, scale),
});
