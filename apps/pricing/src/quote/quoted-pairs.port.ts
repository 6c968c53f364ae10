import type { Pair } from '@ponte/contracts';

export const QUOTED_PAIRS = Symbol('QuotedPairs');

/** The pairs that this process quotes, which are those that can be ordered. Tests of prices may provide others. */
export type QuotedPairs = readonly Pair[];
