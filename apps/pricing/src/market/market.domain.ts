import type { Rate } from '@ponte/kernel';

/** A rate as its source gave it. */
export interface Observation {
  readonly rate: Rate;
  /** Epoch milliseconds of business time at which the source stood at this rate. */
  readonly observedAt: number;
  /** The name of the source in the configuration. */
  readonly source?: string;
  /** Number of the block at which the source was read, where the source is on a chain. */
  readonly blockNumber?: string;
  /** Distance between bid and ask, where the source gives both. */
  readonly spreadBps?: number;
  /** Of a rate combined from several sources: what each of them said. */
  readonly readings?: readonly SourceReading[];
}

/** What one of several sources said, and what was made of it. */
export interface SourceReading {
  readonly source: string;
  readonly rate: Rate;
  /** Epoch milliseconds of business time. */
  readonly observedAt: number;
  readonly weight: number;
  readonly spreadBps: number | null;
  /** `stale`: too old. `wide`: bid and ask too far apart. `outlier`: too far from the others. */
  readonly verdict: 'used' | 'stale' | 'wide' | 'outlier';
}

/** What is known of the market at one moment. Absent: not known at all. */
export interface Market {
  /** BRL for one USD. */
  readonly usdBrl?: Observation;
  /**
   * BRL for one USD that the rate is compared with. Null: its source has given nothing yet. Absent: there is no source,
   * and no deviation is checked.
   */
  readonly reference?: Observation | null;
  /** BRL that redeeming one wBRLY share brings. */
  readonly sharePrice?: Observation;
  /** BRL that one new wBRLY share takes; the same as `sharePrice` when absent. */
  readonly shareCost?: Observation;
  /** Said by the sandbox instead of being computed. */
  readonly offMarket?: boolean;
}
