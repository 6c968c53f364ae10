export const RULES = Symbol('PricingRules');
/** The `ConfiguredRules`: the rules with the JSON tables that they were read from. */
export const CONFIGURED_RULES = Symbol('ConfiguredRules');
