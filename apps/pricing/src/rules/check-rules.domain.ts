import { canonicalJson, derivedId } from '@ponte/kernel';
import type { RulesCheck, TradeReason } from '@ponte/contracts';
import { PAIRS, TRADE_REASON_CODES } from '@ponte/contracts';
import { gaps } from './coverage.domain';
import { feeAt, iofAt, limitsAt, marketAt, pegAt, spreadAt, validityAt } from './in-force.domain';
import { readOrViolations } from './read-rules.domain';
import type { PricingRules } from './rules.domain';
import { versionOf } from './configured-rules.domain';

interface CheckedRules {
  readonly check: RulesCheck;
  /** Undefined if the rules have a violation. */
  readonly rules: PricingRules | undefined;
}

/** Checks proposed rules as the start of a process would, and their coverage from `now` (epoch milliseconds) on. */
export function checkRules(json: unknown, now: number): CheckedRules {
  const { rules, violations } = readOrViolations(json);
  if (rules === undefined) {
    const version = derivedId('pricing-rules', canonicalJson(json));
    return { check: { version, id: null, validFrom: null, validTo: null, violations }, rules };
  }
  const missing = gaps(rules, now);
  return { check: { ...versionOf(rules), violations: missing }, rules: missing.length === 0 ? rules : undefined };
}

/**
 * Throws if a conversion has no rule at this time. Called once at the start of the process, so that a gap in the tables
 * is noticed then.
 */
export function assertComplete(rules: PricingRules, now: number): void {
  marketAt(rules, now);
  for (const pair of PAIRS) limitsAt(rules, pair.conversion, pair, now);
  for (const kind of ['fx', 'same-currency'] as const) validityAt(rules, kind, now);
  for (const symbol of ['USDC', 'USDT'] as const) {
    spreadAt(rules, symbol, now);
    feeAt(rules, symbol, now);
    pegAt(rules, symbol, now);
  }
  for (const direction of ['buy', 'sell'] as const) {
    iofAt(rules, 'same-currency', direction, null, now);
    for (const reason of Object.keys(TRADE_REASON_CODES) as TradeReason[]) iofAt(rules, 'fx', direction, reason, now);
  }
}
