import type { Decider } from '@ponte/event-sourcing';
import type { SandboxPricing } from '@ponte/contracts';
import { SandboxPricingSet } from '@ponte/contracts';

/** The whole sandbox has one setting, so its stream has a fixed id. */
export const SANDBOX_PRICING_ID = 'usd-brl';

/** Stream `sandboxPricing-usd-brl`, so that a partner's test setting survives a restart. */
export const sandboxPricing: Decider<SandboxPricing, SandboxPricing, SandboxPricingSet> = {
  category: 'sandboxPricing',
  initial: { rate: null, offMarket: null },
  events: [SandboxPricingSet],
  decide: (command, state) =>
    command.rate === state.rate && command.offMarket === state.offMarket ? [] : [new SandboxPricingSet(command)],
  evolve: (_, event) => event.data,
};
