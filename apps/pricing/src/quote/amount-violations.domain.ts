import type { Decimal, Violation } from '@ponte/kernel';
import { assetOf, formatDecimal, parseDecimal, rescaleFloor } from '@ponte/kernel';
import type { LimitRule, PricingRules } from '../rules/rules.domain';
import { limitedAsset } from '../rules/rules.domain';
import { limitsAt, pegAt } from '../rules/in-force.domain';
import type { Conversion } from '../price/conversion.domain';
import { pairOf } from '../price/conversion.domain';
import type { Priced } from '../price/fx-formulas.domain';

export type Side = 'source' | 'target';

/** The one amount that was sent; decimals beyond the asset's scale are cut off when it is read. */
export interface Given {
  readonly side: Side;
  readonly decimal: Decimal;
}

export const pathOf = (side: Side): string => `${side}-amount`;

/** Exactly one amount, and a decimal. */
export function givenAmount(source: string | null, target: string | null): Given | Violation {
  const violation = (path: string, message: string): Violation => ({
    code: 'exactly-one-amount-required',
    path,
    message,
  });
  if (source !== null && target !== null)
    return violation('target-amount', 'send source-amount or target-amount, not both');
  const text = source ?? target;
  if (text === null) return violation('source-amount', 'send source-amount or target-amount');
  const side: Side = source === null ? 'target' : 'source';
  const decimal = parseDecimal(text);
  if (decimal !== undefined) return { side, decimal };
  return { code: 'invalid-format', path: pathOf(side), message: 'an amount is a plain decimal string such as 12.50' };
}

export const isFault = (given: Given | Violation): given is Violation => 'code' in given;

/** Minor units of the given amount at a scale, floored. */
export const minorOf = ({ decimal }: Given, scale: number): bigint => rescaleFloor(decimal, scale);

/** Centavos and token units of a priced conversion, whichever way it goes. */
export const sidesOf = (
  conversion: Conversion,
  priced: Pick<Priced, 'source' | 'target'>,
): { brl: bigint; token: bigint } =>
  conversion.direction === 'buy'
    ? { brl: priced.source, token: priced.target }
    : { brl: priced.target, token: priced.source };

/** The limits on one quote. Without a price the amount was too small for any. */
export function limitViolations(
  conversion: Conversion,
  priced: Pick<Priced, 'source' | 'target'> | undefined,
  side: Side,
  rules: PricingRules,
  now: number,
): Violation[] {
  const rows = limitsAt(rules, conversion.kind, pairOf(conversion), now);
  const [{ minimum, ceilingUsd }] = rows;
  const path = pathOf(side);
  const below = (least: string): Violation[] => [
    { code: 'amount-below-minimum', path, message: `the least is ${least}` },
  ];
  const above = (most: string): Violation[] => [{ code: 'amount-above-maximum', path, message: `the most is ${most}` }];
  if (priced === undefined) return below(`${formatDecimal(minimum, 2)} BRL`);
  const { brl, token } = sidesOf(conversion, priced);
  const amountOf = (row: LimitRule): bigint => (row.side === null ? brl : priced[row.side]);
  const tooLittle = rows.find((row) => amountOf(row) < row.minimum);
  if (tooLittle) return below(boundText(tooLittle, tooLittle.minimum));
  const tooMuch = rows.find((row) => amountOf(row) > row.maximum);
  if (tooMuch) return above(boundText(tooMuch, tooMuch.maximum));
  if (conversion.form !== 'fx' || ceilingUsd === null) return [];
  if (token * pegAt(rules, conversion.symbol, now).usd.scaled <= ceilingUsd * conversion.unit) return [];
  return above(`the equivalent of ${formatDecimal(ceilingUsd, 2)} USD`);
}

/** A bound with what it is a bound of: of a side, its asset and which amount it is. */
function boundText(row: LimitRule, bound: bigint): string {
  const asset = limitedAsset(row);
  const amount = formatDecimal(bound, assetOf(asset).scale);
  return row.side === null ? `${amount} BRL` : `${amount} ${asset} as the ${pathOf(row.side)}`;
}
