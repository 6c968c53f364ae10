import type { Pair } from '@ponte/contracts';

export const QUOTED_PAIRS = Symbol('QuotedPairs');

/** The pairs that this process quotes: those that can be ordered. A test of prices may offer others. */
export type QuotedPairs = readonly Pair[];
