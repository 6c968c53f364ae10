import type { RateLimits } from './events';

/** More than one process can serve: a larger value is a typing mistake. */
export const MAX_RATE = 1_000_000;

/** The names of the fields of {@link RateLimits} in the API and in operator commands, in order. */
export const RATE_NAMES: Readonly<Record<keyof RateLimits, string>> = {
  writesPerSecond: 'writes-per-second',
  writeBurst: 'write-burst',
  readsPerSecond: 'reads-per-second',
  readBurst: 'read-burst',
};

export const RATES = Object.keys(RATE_NAMES) as (keyof RateLimits)[];
