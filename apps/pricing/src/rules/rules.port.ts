export const RULES = Symbol('PricingRules');
/** The rules with the content that they were read from: `ConfiguredRules`. */
export const CONFIGURED_RULES = Symbol('ConfiguredRules');
