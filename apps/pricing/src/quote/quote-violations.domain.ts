import type { Violation, Decimal } from '@ponte/kernel';
import { rateLockCapability, refuse, assetOf, formatDecimal, parseDecimal, rescaleFloor } from '@ponte/kernel';
import type { AccountRecord, TradeReason } from '@ponte/contracts';
import { TRADE_REASON_CODES } from '@ponte/contracts';
import type { PricingRules, RateLockRule, LimitRule } from '../rules/rules.domain';
import { limitedAsset } from '../rules/rules.domain';
import { rateLockAt, limitsAt, pegAt } from '../rules/in-force.domain';
import type { Conversion, Priced } from '../price/conversion.domain';
import { pairOf } from '../price/conversion.domain';

/** The fields of an account that pricing needs. */
export type QuotingAccount = Pick<AccountRecord, 'status' | 'capabilities'>;

/** The fields of a quote request other than the amounts. */
interface QuoteRequest {
  readonly tradeReason: TradeReason | null;
  readonly rateLock: string | null;
}

/** Trade reasons that need a capability of the account. All others are open to every account. */
const GATED_REASONS: Readonly<Partial<Record<TradeReason, string>>> = {
  'international-travels': 'international-travels',
};

export function refuseInactive(account: QuotingAccount): void {
  if (account.status !== 'active') refuse('account-not-active', 'the account is not active');
}

/**
 * The violations of the rules on trade reason and rate lock, for the account of a quote or of an order. `hasLock`:
 * the lock is offered, or the quote keeps it.
 */
export function accountViolations(
  request: QuoteRequest,
  conversion: Conversion,
  account: QuotingAccount,
  hasLock: boolean,
): Violation[] {
  return [
    ...tradeReasonViolations(request.tradeReason, conversion, account),
    ...rateLockViolations(request.rateLock, conversion, account, hasLock),
  ];
}

/** The rate lock of a quote. Undefined if none is requested, the conversion is not FX or the lock is not offered. */
export const lockOf = (
  request: QuoteRequest,
  conversion: Conversion,
  rules: PricingRules,
  now: number,
): RateLockRule | undefined =>
  request.rateLock === null || conversion.kind !== 'fx' ? undefined : rateLockAt(rules, request.rateLock, now);

function tradeReasonViolations(
  reason: TradeReason | null,
  conversion: Conversion,
  account: QuotingAccount,
): Violation[] {
  if (conversion.kind === 'same-currency') return [];
  const path = 'trade-reason';
  if (reason === null)
    return [
      {
        code: 'trade-reason-required',
        path,
        message: 'a conversion between BRL and a foreign asset needs a trade reason',
      },
    ];
  if (!Object.hasOwn(TRADE_REASON_CODES, reason))
    return [
      { code: 'invalid-enum-value', path, message: `must be one of: ${Object.keys(TRADE_REASON_CODES).join(', ')}` },
    ];
  const capability = GATED_REASONS[reason];
  if (capability === undefined || account.capabilities.includes(capability)) return [];
  return [{ code: 'trade-reason-not-enabled', path, message: 'this trade reason is not enabled for the account' }];
}

function rateLockViolations(
  name: string | null,
  conversion: Conversion,
  account: QuotingAccount,
  hasLock: boolean,
): Violation[] {
  if (name === null) return [];
  const path = 'rate-lock';
  if (conversion.kind !== 'fx')
    return [
      {
        code: 'rate-lock-not-applicable',
        path,
        message: 'a rate lock is for conversions between BRL and a foreign asset',
      },
    ];
  // An unknown lock is refused in the same way as one that is not enabled, so that the response does not reveal what
  // other accounts have.
  if (!account.capabilities.includes(rateLockCapability(name)))
    return [{ code: 'rate-lock-not-enabled', path, message: 'this rate lock is not enabled for the account' }];
  if (hasLock) return [];
  return [{ code: 'rate-lock-not-enabled', path, message: 'this rate lock is no longer offered' }];
}

export type Side = 'source' | 'target';

/** The amount that the request gives. Decimals beyond the asset's scale are cut off by {@link minorOf}. */
export interface Given {
  readonly side: Side;
  readonly decimal: Decimal;
}

const pathOf = (side: Side): string => `${side}-amount`;

/** Requires exactly one amount, and that it is a decimal. */
export function givenAmount(source: string | null, target: string | null): Given | Violation {
  const violation = (path: string, message: string): Violation => ({
    code: 'exactly-one-amount-required',
    path,
    message,
  });
  if (source !== null && target !== null)
    return violation('target-amount', 'send source-amount or target-amount, not both');
  const text = source ?? target;
  if (text === null) return violation('source-amount', 'send either source-amount or target-amount');
  const side: Side = source === null ? 'target' : 'source';
  const decimal = parseDecimal(text);
  if (decimal !== undefined) return { side, decimal };
  return { code: 'invalid-format', path: pathOf(side), message: 'must be a plain decimal string such as 12.50' };
}

export const isViolation = (given: Given | Violation): given is Violation => 'code' in given;

/** The minor units of the given amount at a scale, floored. */
export const minorOf = ({ decimal }: Given, scale: number): bigint => rescaleFloor(decimal, scale);

/** The centavos and the token's minor units of a priced conversion, in either direction. */
export const sidesOf = (
  conversion: Conversion,
  priced: Pick<Priced, 'source' | 'target'>,
): { brl: bigint; token: bigint } =>
  conversion.direction === 'buy'
    ? { brl: priced.source, token: priced.target }
    : { brl: priced.target, token: priced.source };

/** The violations of the limits of one quote. An undefined price means that the amount was too small for any price. */
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
    { code: 'amount-below-minimum', path, message: `the amount is below the minimum of ${least}` },
  ];
  const above = (most: string): Violation[] => [
    { code: 'amount-above-maximum', path, message: `the amount is above the maximum of ${most}` },
  ];
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

/** A bound with its asset and, for the bound of a side, the amount that it limits. */
function boundText(row: LimitRule, bound: bigint): string {
  const asset = limitedAsset(row);
  const amount = formatDecimal(bound, assetOf(asset).scale);
  return row.side === null ? `${amount} BRL` : `${amount} ${asset} as the ${pathOf(row.side)}`;
}
