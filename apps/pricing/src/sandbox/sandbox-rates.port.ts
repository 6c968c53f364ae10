import type { Rate } from '@ponte/kernel';

export const SANDBOX_RATES = Symbol('SandboxRates');

/** Overrides the rate and the off-market flag in the sandbox. Null restores the value of the source. */
export interface RateOverride {
  set(rate: Rate | null, offMarket: boolean | null): void;
}
