import { fromIso, refuse, refuseAll } from '@ponte/kernel';
import type { IssuedQuote } from '@ponte/contracts';
import type { PricingRules } from '../rules/rules.domain';
import type { QuotingAccount } from './quote-violations.domain';
import { accountViolations, refuseInactive, limitViolations } from './quote-violations.domain';
import { RULE_TABLES, rateLockAt } from '../rules/in-force.domain';
import { conversionOf } from '../price/conversion.domain';
import { storedMinor as minor } from '../price/stored-amount.domain';

/**
 * Whether the rate lock of a quote is no longer offered only because its row ended as it was to end when the quote was
 * given. Such a lock is honoured. If an operator has ended the row since, or removed it, the quote is refused.
 */
function hasLockEndedAsPlanned({ rateLock: name, inputs }: IssuedQuote, rules: PricingRules, now: number): boolean {
  const plannedEnd = inputs.rules.find(({ table }) => table === RULE_TABLES.rateLocks)?.values['valid-to'];
  if (typeof plannedEnd !== 'string' || fromIso(plannedEnd) > now) return false;
  return rules.rateLocks.some((row) => row.name === name && row.validTo === fromIso(plannedEnd));
}

/**
 * Checks a quote again for the account that an order would run on, which may differ from the account that requested the
 * quote: whether it is active, may use the trade reason and the rate lock, and is within the limits. Refuses as the
 * quote would have been refused.
 */
export function checkQuoteFor(terms: IssuedQuote, account: QuotingAccount, rules: PricingRules, now: number): void {
  refuseInactive(account);
  const conversion = conversionOf(terms.sourceAsset, terms.targetAsset);
  if (conversion === undefined)
    return refuse(
      'asset-pair-not-supported',
      'this asset pair cannot be converted; GET /api/v1/pairs lists those that can',
      'quote-id',
    );
  const brlIsSource = conversion.direction === 'buy';
  const priced = {
    source: minor(terms.sourceAmount, brlIsSource ? 2 : conversion.scale),
    target: minor(terms.targetAmount, brlIsSource ? conversion.scale : 2),
  };
  const { rateLock } = terms;
  const isLockKept =
    rateLock !== null && (rateLockAt(rules, rateLock, now) !== undefined || hasLockEndedAsPlanned(terms, rules, now));
  const violations = [
    ...accountViolations(terms, conversion, account, isLockKept),
    ...limitViolations(conversion, priced, terms.givenSide, rules, now),
  ];
  // An acceptance names only the quote's id, so every violation is reported on that field.
  refuseAll(violations.map((violation) => ({ ...violation, path: 'quote-id' })));
}
