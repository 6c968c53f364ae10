import { isoTime } from '@ponte/kernel';
import type { RulesVersion, RuleTables } from '@ponte/contracts';
import { readRules } from './read-rules.domain';
import type { PricingRules } from './rules.domain';

/** The rules of this process, with the JSON tables that they were read from. */
export interface ConfiguredRules {
  readonly rules: PricingRules;
  readonly tables: RuleTables;
}

/** Reads the rules from JSON. Throws `RulesInvalid` with every violation. */
export function readConfiguredRules(json: unknown): ConfiguredRules {
  const rules = readRules(json);
  const { version: _, ...tables } = json as { version?: unknown } & RuleTables;
  return { rules, tables };
}

const timeOf = (time: number): string | null => (Math.abs(time) === Infinity ? null : isoTime(time));

/** The version of the rules as other services see it; a side without a bound is null. */
export const versionOf = ({ version, id, validFrom, validTo }: PricingRules): RulesVersion => ({
  version,
  id,
  validFrom: timeOf(validFrom),
  validTo: timeOf(validTo),
});
