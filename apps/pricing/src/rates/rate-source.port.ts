import type { Observation } from '../market/market.domain';

/** A provider of one rate. It keeps its last good rate with its time when a later poll fails. */
export interface RateSource {
  /** Undefined until the first successful poll. */
  latest(): Observation | undefined;
  /** Polls the provider once. Throws if the response is unusable. */
  poll(signal: AbortSignal): Promise<void>;
}

/** One of several sources of USD/BRL. Durations are in milliseconds. */
export interface WeightedSource {
  readonly name: string;
  readonly weight: number;
  readonly staleAfterMs: number;
  /** Null if the distance between bid and ask is not checked. */
  readonly maxSpreadBps: number | null;
  readonly feed: RateSource;
}
