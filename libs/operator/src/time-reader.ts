import { isoTime, parseInstant } from '@ponte/kernel';
import type { Kysely } from 'kysely';
import { OperatorError } from './desk';

/**
 * A reader of something outside, of the bank or of a chain. It is set back to a time, and not to a position in the
 * log.
 */
export interface TimeReader {
  readonly name: string;
  /** The holder of the lease reads. */
  readonly lease: string;
  /** Where its place is kept in the tables of the service's views; absent where the checkpoint is its time. */
  readonly placeIn?: (views: Kysely<unknown>) => TimePlace;
}

/** The place of a reader that keeps more than a time. */
export interface TimePlace {
  /** For people. Undefined when the reader has read nothing yet: it begins with the first thing that there can be. */
  shown(): Promise<string | undefined>;
  /** Has the reader read again what happened since that time. It never moves forward by this. */
  setBack(since: string): Promise<void>;
}

/**
 * The time that a reader is put back to, as its checkpoint keeps it. One that is yet to come would leave things out.
 */
export function timeIn(to: string, now: number): string {
  const ms = parseInstant(to);
  if (ms === undefined)
    throw new OperatorError(
      `${to} is not a time: the position of this reader is a time such as 2026-01-31T00:00:00.000Z`,
    );
  if (ms > now) throw new OperatorError(`${to} is in the future: what happens until then would be skipped`);
  return isoTime(ms);
}
