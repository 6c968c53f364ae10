import type { Observation } from '../market/market.domain';

/** A provider of one rate. It keeps its last good rate with its time, whatever comes after it. */
export interface RateSource {
  /** Undefined until the first good answer. */
  latest(): Observation | undefined;
  /** Polls the provider once. Throws when the answer is unusable. */
  poll(signal: AbortSignal): Promise<void>;
}

/** A source of USD/BRL among others. Durations in milliseconds. */
export interface WeightedSource {
  readonly name: string;
  readonly weight: number;
  readonly staleAfterMs: number;
  /** Null when the distance between bid and ask is not checked. */
  readonly maxSpreadBps: number | null;
  readonly feed: RateSource;
}
