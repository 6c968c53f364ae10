import type { Rate } from '@ponte/kernel';

export const SANDBOX_RATES = Symbol('SandboxRates');

/** The sandbox's own word on rate and condition; null gives it back to the source. */
export interface RateOverride {
  set(rate: Rate | null, offMarket: boolean | null): void;
}
