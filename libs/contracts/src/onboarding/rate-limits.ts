import type { RateLimits } from './events';

/** Above any rate that one process can serve: a typing mistake, not a command. */
export const MAX_RATE = 1_000_000;

/** The members of {@link RateLimits} as the API and the verbs of operators name them, in their order. */
export const RATE_NAMES: Readonly<Record<keyof RateLimits, string>> = {
  writesPerSecond: 'writes-per-second',
  writeBurst: 'write-burst',
  readsPerSecond: 'reads-per-second',
  readBurst: 'read-burst',
};

export const RATES = Object.keys(RATE_NAMES) as (keyof RateLimits)[];
