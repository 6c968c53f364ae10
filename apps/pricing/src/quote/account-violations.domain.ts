import type { Violation } from '@ponte/kernel';
import { rateLockCapability, refuse } from '@ponte/kernel';
import type { AccountRecord, TradeReason } from '@ponte/contracts';
import { TRADE_REASON_CODES } from '@ponte/contracts';
import type { PricingRules, RateLockRule } from '../rules/rules.domain';
import { rateLockAt } from '../rules/in-force.domain';
import type { Conversion } from '../price/conversion.domain';

/** What pricing must know of an account. */
export type QuotingAccount = Pick<AccountRecord, 'status' | 'capabilities'>;

/** What a quote asks for besides amounts. */
export interface QuoteRequest {
  readonly tradeReason: TradeReason | null;
  readonly rateLock: string | null;
}

/** Trade reasons that an account must have been given first; the others are open to all. */
const GATED_REASONS: Readonly<Partial<Record<TradeReason, string>>> = {
  'international-travels': 'international-travels',
};

export function refuseInactive(account: QuotingAccount): void {
  if (account.status !== 'active') refuse('account-not-active', 'the account is not active');
}

/** The rules on trade reason and rate lock, for the account that asks or the one that an order runs on. */
export function accountViolations(
  request: QuoteRequest,
  conversion: Conversion,
  account: QuotingAccount,
  rules: PricingRules,
  now: number,
): Violation[] {
  return [
    ...tradeReasonViolations(request.tradeReason, conversion, account),
    ...rateLockViolations(request.rateLock, conversion, account, rules, now),
  ];
}

/** The lock that a quote gets. Undefined without one, and where violations were found. */
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
    return [{ code: 'invalid-enum-value', path, message: 'not a trade reason' }];
  const capability = GATED_REASONS[reason];
  if (capability === undefined || account.capabilities.includes(capability)) return [];
  return [{ code: 'trade-reason-not-enabled', path, message: 'this trade reason is not enabled for the account' }];
}

function rateLockViolations(
  name: string | null,
  conversion: Conversion,
  account: QuotingAccount,
  rules: PricingRules,
  now: number,
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
  // A lock that does not exist is refused like one that is not enabled: the answer tells nothing about what others
  // have.
  if (rateLockAt(rules, name, now) && account.capabilities.includes(rateLockCapability(name))) return [];
  return [{ code: 'rate-lock-not-enabled', path, message: 'this rate lock is not enabled for the account' }];
}
