import { addSeconds, refuse } from '@ponte/kernel';

/**
 * The most replays of a period per account in 24 hours, to all its endpoints together. Each may read and send 90 days
 * of events, and replays of one account run one after the other. Deleting an endpoint does not make room for more.
 */
export const MAX_REPLAYS_PER_DAY = 10;

const DAY_SECONDS = 86_400;

/** Adds a replay to the times of the last ones, of which no more are needed than the limit. */
export const withReplay = (replays: readonly string[], requestedAt: string): readonly string[] =>
  [...replays, requestedAt].slice(-MAX_REPLAYS_PER_DAY);

/** Refuses a further replay (`limit-exceeded`) when the account has had too many in the last 24 hours. */
export function refuseTooManyReplays(replays: readonly string[], now: string): void {
  const [oldest] = replays;
  if (replays.length < MAX_REPLAYS_PER_DAY || oldest === undefined) return;
  const free = addSeconds(oldest, DAY_SECONDS);
  if (now < free)
    refuse(
      'limit-exceeded',
      `an account accepts ${MAX_REPLAYS_PER_DAY} replays in 24 hours; the next one is accepted from ${free}`,
    );
}
