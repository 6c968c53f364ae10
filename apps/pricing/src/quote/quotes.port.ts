/** The aggregates of quotes: {@link Aggregates} with a memory of their own. */
export const QUOTES = Symbol('Quotes');
