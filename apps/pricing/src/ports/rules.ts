export const RULES = Symbol('PricingRules');
