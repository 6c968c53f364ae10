import { Rate } from '@ponte/kernel';
import { isUsable } from '../market/conditions.domain';
import type { Observation, SourceReading } from '../market/market.domain';

/** The last reading of one source, and how far it is trusted. */
export interface SourceState {
  readonly source: string;
  /** The weight in the median, above zero. */
  readonly weight: number;
  /** A source whose reading is older than this is left out. */
  readonly staleAfterMs: number;
  /** A source whose bid and ask are further apart than this is left out. Null if the spread is not checked. */
  readonly maxSpreadBps: number | null;
  /** Undefined until the source has reported its first rate. */
  readonly last: Observation | undefined;
}

export interface CombinationRules {
  /** A source further than this from the median of all candidates is discarded. */
  readonly outlierBps: number;
  /** If fewer sources than this remain, no rate is known. */
  readonly minSources: number;
}

type ReadSource = SourceState & { readonly last: Observation };

/** The combined rate, undefined if too few sources are usable, and the verdict on each source. */
export interface Combined {
  readonly rate: Rate | undefined;
  /** The oldest used reading, in epoch milliseconds, so that the rate never appears fresher than it is. */
  readonly observedAt: number;
  readonly readings: readonly SourceReading[];
}

/**
 * The weighted median of the sources. Stale sources and sources with a wide spread are left out. Of the rest, those too
 * far from the median are discarded, and the rate is the median of what remains. Pure: `now` is in epoch milliseconds.
 */
export function combineRates(
  states: readonly SourceState[],
  { outlierBps, minSources }: CombinationRules,
  now: number,
): Combined {
  const known = states.filter((state): state is ReadSource => state.last !== undefined);
  const candidates = known.filter((state) => firstVerdict(state, now) === 'used');
  const centre = weightedMedian(candidates);
  const verdictOf = (state: ReadSource): SourceReading['verdict'] => {
    const verdict = firstVerdict(state, now);
    return verdict === 'used' && centre !== undefined && distanceBps(state.last.rate.scaled, centre) > outlierBps
      ? 'outlier'
      : verdict;
  };
  const readings = known.map((state) => readingOf(state, verdictOf(state)));
  const used = candidates.filter((state) => verdictOf(state) === 'used');
  const median = used.length < minSources ? undefined : weightedMedian(used);
  const [first] = used;
  return {
    rate:
      median === undefined || first === undefined
        ? undefined
        : Rate.of(first.last.rate.base, first.last.rate.quote, median),
    observedAt: Math.min(...used.map(({ last }) => last.observedAt)),
    readings,
  };
}

/** The distance in basis points, rounded up, so that exceeding a bound is never missed. */
export function distanceBps(one: bigint, other: bigint): number {
  const distance = one > other ? one - other : other - one;
  return Number((distance * 10_000n + other - 1n) / other);
}

const firstVerdict = ({ last, staleAfterMs, maxSpreadBps }: ReadSource, now: number): SourceReading['verdict'] => {
  if (!isUsable(last, staleAfterMs, now)) return 'stale';
  return maxSpreadBps !== null && (last.spreadBps ?? 0) > maxSpreadBps ? 'wide' : 'used';
};

const readingOf = ({ source, weight, last }: ReadSource, verdict: SourceReading['verdict']): SourceReading => ({
  source,
  rate: last.rate,
  observedAt: last.observedAt,
  weight,
  spreadBps: last.spreadBps ?? null,
  verdict,
});

/** The rate at which half of the weight is reached. If it is exactly half, the mean with the next rate, floored. */
function weightedMedian(sources: readonly ReadSource[]): bigint | undefined {
  const sorted = [...sources].sort((one, other) => (one.last.rate.scaled < other.last.rate.scaled ? -1 : 1));
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let reached = 0;
  for (const [index, { weight, last }] of sorted.entries()) {
    reached += weight;
    const next = sorted[index + 1];
    if (reached * 2 === total && next) return (last.rate.scaled + next.last.rate.scaled) / 2n;
    if (reached * 2 >= total) return last.rate.scaled;
  }
  return undefined;
}
