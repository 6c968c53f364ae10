import type { Decimal, Violation } from '@ponte/kernel';
import { formatDecimal, parseDecimal, rescaleFloor } from '@ponte/kernel';
import type { PricingRules } from '../rules/rules';
import { limitsAt, pegAt } from '../rules/in-force';
import type { Conversion } from './conversion';
import type { Priced } from './fx-formulas';

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
  const limits = limitsAt(rules, conversion.kind, now);
  const path = pathOf(side);
  const below = (): Violation[] => [
    { code: 'amount-below-minimum', path, message: `the least is ${formatDecimal(limits.minimum, 2)} BRL` },
  ];
  if (priced === undefined) return below();
  const { brl, token } = sidesOf(conversion, priced);
  if (brl < limits.minimum) return below();
  if (brl > limits.maximum)
    return [{ code: 'amount-above-maximum', path, message: `the most is ${formatDecimal(limits.maximum, 2)} BRL` }];
  if (conversion.form !== 'fx' || limits.ceilingUsd === null) return [];
  if (token * pegAt(rules, conversion.symbol, now).usd.scaled <= limits.ceilingUsd * conversion.unit) return [];
  return [
    {
      code: 'amount-above-maximum',
      path,
      message: `the most is the equivalent of ${formatDecimal(limits.ceilingUsd, 2)} USD`,
    },
  ];
}
