import type { Rate } from '@ponte/kernel';
import { saoPauloWallClock } from '@ponte/kernel';
import type { MarketRule } from '../rules/rules.domain';
import type { Market, Observation } from './market.domain';

/** The age in milliseconds. An observation from a source whose clock runs ahead has age zero. */
const ageOf = (observation: Observation, now: number): number => Math.max(0, now - observation.observedAt);

/**
 * Whether an observation may be used. One from the future was made before the clock was set back, so its true age is
 * not known. Beyond the limit it is not used: a rate that no longer changes would stay in use until the clock catches
 * up.
 */
export const isUsable = ({ observedAt }: Pick<Observation, 'observedAt'>, limitMs: number, now: number): boolean =>
  Math.abs(now - observedAt) <= limitMs;

/** The rate, or undefined if it is older than `limitMs`. */
export const usable = (observation: Observation | undefined, limitMs: number, now: number): Rate | undefined =>
  observation && isUsable(observation, limitMs, now) ? observation.rate : undefined;

/** Whether the USD/BRL spot market is open at this moment. */
export function isMarketOpen(rule: MarketRule, now: number): boolean {
  const wall = saoPauloWallClock(now);
  const minute = wall.hour * 60 + wall.minute;
  return (
    rule.weekdays.includes(wall.weekday) &&
    rule.opensAt <= minute &&
    minute < rule.closesAt &&
    !rule.holidays.includes(wall.date)
  );
}

/** Whether the rate is more than `bps` above or below the reference. */
function deviates(rate: Rate, reference: Rate, bps: number): boolean {
  const distance = rate.scaled > reference.scaled ? rate.scaled - reference.scaled : reference.scaled - rate.scaled;
  return distance * 10_000n > reference.scaled * BigInt(bps);
}

/**
 * Whether the rate is so far from a current reference that its source must be wrong. False without a bound in the
 * rules.
 */
export const isImplausible = (rate: Rate | undefined, { reference }: Market, rule: MarketRule, now: number): boolean =>
  rate !== undefined &&
  rule.unusableDeviationBps !== null &&
  !!reference &&
  isUsable(reference, rule.referenceStaleAfterMs, now) &&
  deviates(rate, reference.rate, rule.unusableDeviationBps);

/**
 * Whether USD/BRL has a source of a reference that is unknown or too old, so that it cannot show that a rate is right.
 * False without such a source.
 */
export const isUnconfirmed = ({ reference }: Market, rule: MarketRule, now: number): boolean =>
  reference !== undefined && (reference === null || !isUsable(reference, rule.referenceStaleAfterMs, now));

/** Whether the last price of a wBRLY share is too old, so that wBRLY is not quoted. False if none is known. */
export const isSharePriceUnusable = ({ sharePrice }: Market, rule: MarketRule, now: number): boolean =>
  sharePrice !== undefined && !isUsable(sharePrice, rule.sharePriceUnusableAfterMs, now);

/**
 * Whether a USD/BRL rate may be quoted by `unusable-deviation-bps`: always without that bound, otherwise only close
 * enough to a current reference. If no source of a reference is configured, there is nothing to compare with.
 */
export const isWithinBound = (rate: Rate, market: Market, rule: MarketRule, now: number): boolean =>
  rule.unusableDeviationBps === null || (!isUnconfirmed(market, rule, now) && !isImplausible(rate, market, rule, now));

/**
 * Whether an FX quote is `off-market-pricing`: the rate is stale, the market is closed, or the rate is far from the
 * reference. A reference that is stale, or that has a source but no value yet, cannot confirm the rate.
 */
export function isOffMarket(market: Market, rule: MarketRule, now: number): boolean {
  if (market.offMarket !== undefined) return market.offMarket;
  const { usdBrl, reference } = market;
  if (usdBrl === undefined || ageOf(usdBrl, now) > rule.staleAfterMs || !isMarketOpen(rule, now)) return true;
  return isUnconfirmed(market, rule, now) || (!!reference && deviates(usdBrl.rate, reference.rate, rule.deviationBps));
}
