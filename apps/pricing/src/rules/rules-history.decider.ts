import type { Decider } from '@ponte/event-sourcing';
import type { AdoptedRules } from '@ponte/contracts';
import { PRICING_RULES_CATEGORY, PricingRulesAdopted } from '@ponte/contracts';

/** Every adopted version, oldest first. */
interface RulesAdoptions {
  readonly adopted: readonly AdoptedRules[];
}

/** Stream `pricingRules-history`. A version is recorded, with its whole content, if it differs from the latest one. */
export const rulesHistory: Decider<AdoptedRules, RulesAdoptions, PricingRulesAdopted> = {
  category: PRICING_RULES_CATEGORY,
  initial: { adopted: [] },
  events: [PricingRulesAdopted],
  decide: (rules, { adopted }) => (adopted.at(-1)?.version === rules.version ? [] : [new PricingRulesAdopted(rules)]),
  evolve: ({ adopted }, { data }) => ({ adopted: [...adopted, data] }),
};
