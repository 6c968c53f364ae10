/** The {@link Aggregates} of quotes, with a cache of their own. */
export const QUOTES = Symbol('Quotes');
