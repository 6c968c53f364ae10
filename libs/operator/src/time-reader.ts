import { isoTime, parseInstant } from '@ponte/kernel';
import { OperatorError } from './desk';

/**
 * A reader of something outside that keeps a time instead of a place in the log: `ledger-received-pix`, of the bank.
 */
export interface TimeReader {
  /** Of its checkpoint. */
  readonly name: string;
  /** The holder of the lease reads. */
  readonly lease: string;
}

/**
 * The time that a reader is put back to, as its checkpoint keeps it. One that is yet to come would leave things out.
 */
export function timeIn(to: string, now: number): string {
  const ms = parseInstant(to);
  if (ms === undefined)
    throw new OperatorError(`${to} is no time: this reader keeps one, such as 2026-01-31T00:00:00.000Z`);
  if (ms > now) throw new OperatorError(`${to} is yet to come: what happens until then would be left out`);
  return isoTime(ms);
}
