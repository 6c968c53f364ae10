import { formatDecimal } from '@ponte/kernel';
import type { Pair, PairLimits } from '@ponte/contracts';
import type { Market } from '../market/market.domain';
import type { PricingRules } from '../rules/rules.domain';
import type { Side } from './quote-violations.domain';
import { limitViolations } from './quote-violations.domain';
import { BRL, conversionOf } from '../price/conversion.domain';
import type { Conversion } from '../price/conversion.domain';
import { baseRate, chargesOf, priceAmounts } from '../price/price.domain';

/** Amounts have at most 18 digits before the decimal point, which bounds the minor units of a quote. */
const MAX_WHOLE_DIGITS = 18n;

/**
 * The bounds of the given amount, for both sides of each pair, at the current rate. A binary search finds the amounts
 * at which the rules that check quotes change their result, so the bounds are exact whatever is rounded. This works
 * because prices grow with the amount. A pair is left out while its rate is unknown.
 */
export function limitsOf(pairs: readonly Pair[], market: Market, rules: PricingRules, now: number): PairLimits[] {
  return pairs.flatMap((pair) => {
    const conversion = conversionOf(pair.source, pair.target);
    if (!conversion) return [];
    return (['source', 'target'] as const).flatMap((side) =>
      sideLimits(pair, conversion, side, { market, rules, now }),
    );
  });
}

interface Facts {
  readonly market: Market;
  readonly rules: PricingRules;
  readonly now: number;
}

function sideLimits(pair: Pair, conversion: Conversion, side: Side, { market, rules, now }: Facts): PairLimits[] {
  const rate = baseRate(conversion, market, rules, now);
  if (rate === undefined) return [];
  const charges = chargesOf(conversion, 'transfer-between-same-entity-accounts', undefined, rules, now);
  const asset = side === 'source' ? pair.source : pair.target;
  const scale = asset === BRL ? 2 : conversion.scale;
  const refusalOf = (minor: bigint): string | undefined =>
    limitViolations(
      conversion,
      priceAmounts(conversion, { side, decimal: { digits: minor, scale } }, rate, charges),
      side,
      rules,
      now,
    )[0]?.code;
  const most = 10n ** (MAX_WHOLE_DIGITS + BigInt(scale)) - 1n;
  const minimum = firstFrom(1n, most, (minor) => refusalOf(minor) !== 'amount-below-minimum');
  const maximum = firstFrom(minimum, most, (minor) => refusalOf(minor) === 'amount-above-maximum') - 1n;
  if (maximum < minimum) return [];
  return [
    {
      sourceAsset: pair.source,
      targetAsset: pair.target,
      side,
      asset,
      minimum: formatDecimal(minimum, scale),
      maximum: formatDecimal(maximum, scale),
    },
  ];
}

/** The smallest number from `low` that passes, given that all larger ones pass too; `high` + 1 if none passes. */
function firstFrom(low: bigint, high: bigint, passes: (value: bigint) => boolean): bigint {
  let [from, to] = [low, high + 1n];
  while (from < to) {
    const middle = (from + to) / 2n;
    if (passes(middle)) to = middle;
    else from = middle + 1n;
  }
  return from;
}
