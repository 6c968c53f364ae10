import type { Decider } from '@ponte/event-sourcing';
import type { AdoptedRules } from '@ponte/contracts';
import { PRICING_RULES_CATEGORY, PricingRulesAdopted } from '@ponte/contracts';

/** Every version that was adopted, oldest first. */
export interface RulesAdoptions {
  readonly adopted: readonly AdoptedRules[];
}

/** Stream `pricingRules-history`: a version is recorded when it follows another one, with its whole content. */
export const rulesHistory: Decider<AdoptedRules, RulesAdoptions, PricingRulesAdopted> = {
  category: PRICING_RULES_CATEGORY,
  initial: { adopted: [] },
  events: [PricingRulesAdopted],
  decide: (rules, { adopted }) => (adopted.at(-1)?.version === rules.version ? [] : [new PricingRulesAdopted(rules)]),
  evolve: ({ adopted }, { data }) => ({ adopted: [...adopted, data] }),
};
