import type { Violation } from '@ponte/kernel';
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

/**
 * `invalid-format` at each rate that is no whole number from 1 to {@link MAX_RATE}; null, the defaults of the
 * environment, has none.
 */
export const rateLimitViolations = (rateLimits: RateLimits | null): Violation[] =>
  rateLimits === null
    ? []
    : RATES.filter((rate) => !isRate(rateLimits[rate])).map((rate) => ({
        code: 'invalid-format',
        path: `rate-limits.${RATE_NAMES[rate]}`,
        message: `must be a whole number from 1 to ${MAX_RATE}`,
      }));

const isRate = (rate: number): boolean => Number.isInteger(rate) && rate >= 1 && rate <= MAX_RATE;
