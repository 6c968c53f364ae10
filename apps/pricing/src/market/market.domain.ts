import type { Rate } from '@ponte/kernel';

/** A rate as reported by its source. */
export interface Observation {
  readonly rate: Rate;
  /** When the source had this rate, in epoch milliseconds of business time. */
  readonly observedAt: number;
  /** The name of the source in the configuration. */
  readonly source?: string;
  /** The number of the block at which the source was read, if it is on a chain. */
  readonly blockNumber?: string;
  /** The distance between bid and ask, if the source reports both. */
  readonly spreadBps?: number;
  /** For a rate combined from several sources: the reading of each. */
  readonly readings?: readonly SourceReading[];
}

/** The reading of one of several sources, and whether it was used. */
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

/** The market data known at one moment. An absent field is not known at all. */
export interface Market {
  /** BRL for one USD. */
  readonly usdBrl?: Observation;
  /**
   * The BRL for one USD that the rate is compared with. Null if its source has not reported a rate yet. Absent if there
   * is no source; the deviation is then not checked.
   */
  readonly reference?: Observation | null;
  /** The BRL received for redeeming one wBRLY share. */
  readonly sharePrice?: Observation;
  /** The BRL needed to create one wBRLY share; the same as `sharePrice` if absent. */
  readonly shareCost?: Observation;
  /** Set by the sandbox instead of being computed. */
  readonly offMarket?: boolean;
}
