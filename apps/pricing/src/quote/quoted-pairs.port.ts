import type { Pair } from '@ponte/contracts';

export const QUOTED_PAIRS = Symbol('QuotedPairs');

/** The pairs that this process quotes: those that can be ordered now. */
export interface QuotedPairs {
  /** The same array as long as the pairs are the same. */
  readonly current: readonly Pair[];
}
