import type { Rate } from '@ponte/kernel';

/** A rate as its source gave it. */
export interface Observation {
  readonly rate: Rate;
  /** Epoch milliseconds of business time at which the source stood at this rate. */
  readonly observedAt: number;
}

/** What is known of the market at one moment. Absent: not known at all. */
export interface Market {
  /** BRL for one USD. */
  readonly usdBrl?: Observation;
  /** What the rate is compared with; without it no deviation is judged. */
  readonly reference?: Rate;
  /** BRL for one wBRLY share. */
  readonly sharePrice?: Observation;
  /** Said by the sandbox instead of being judged. */
  readonly offMarket?: boolean;
}
