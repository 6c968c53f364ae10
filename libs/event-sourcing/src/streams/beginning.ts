/**
 * The place of a reader that was put back to the beginning. Its row stays, for its fence keeps the holder from before
 * from writing again.
 */
export const BEGINNING = '';
