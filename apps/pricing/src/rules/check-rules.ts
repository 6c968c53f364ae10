import { canonicalJson, derivedId } from '@ponte/kernel';
import type { RulesCheck } from '@ponte/contracts';
import { gaps } from './coverage.domain';
import { readOrViolations } from './read-rules.domain';
import type { PricingRules } from './rules.domain';
import { versionOf } from './configured-rules';

export interface Judged {
  readonly check: RulesCheck;
  /** Undefined where the rules have a violation. */
  readonly rules: PricingRules | undefined;
}

/** Judges proposed rules as the start of a process would, and for the time from `now` (epoch milliseconds) on. */
export function checkRules(json: unknown, now: number): Judged {
  const { rules, violations } = readOrViolations(json);
  if (rules === undefined) {
    const version = derivedId('pricing-rules', canonicalJson(json));
    return { check: { version, id: null, validFrom: null, validTo: null, violations }, rules };
  }
  const missing = gaps(rules, now);
  return { check: { ...versionOf(rules), violations: missing }, rules: missing.length === 0 ? rules : undefined };
}
