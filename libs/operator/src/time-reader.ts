import { isoTime, parseInstant } from '@ponte/kernel';
import type { Kysely } from 'kysely';
import { OperatorError } from './action-runner';

/** A reader of an external source: the bank or a chain. It is rewound to a time instead of a position in the log. */
export interface TimeReader {
  readonly name: string;
  /** The lease whose holder reads. */
  readonly lease: string;
  /** Where its position is stored in the tables of the service's read models; absent if the checkpoint is a time. */
  readonly positionIn?: (readModels: Kysely<unknown>) => TimePosition;
}

/** The position of a reader that stores more than a time. */
export interface TimePosition {
  /**
   * The position as a text for people. Undefined if the reader has read nothing yet and will start with the earliest
   * item.
   */
  shown(): Promise<string | undefined>;
  /** Makes the reader read again what happened since that time. It never moves the reader forward. */
  setBack(since: string): Promise<void>;
}

/** Validates a time to rewind to and returns it as stored in checkpoints. A future time would skip items. */
export function timeIn(to: string, now: number): string {
  const ms = parseInstant(to);
  if (ms === undefined)
    throw new OperatorError(
      `${to} is not a time: the position of this reader is a time such as 2026-01-31T00:00:00.000Z`,
    );
  if (ms > now) throw new OperatorError(`${to} is in the future: what happens until then would be skipped`);
  return isoTime(ms);
}
