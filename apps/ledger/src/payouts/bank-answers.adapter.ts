import { RailTimedOut } from '../pix-charge/pix-charges.port';
import type { BankAnswer } from './bank-client.adapter';
import type { BankPage } from './bank-window';

/** The form of a BRL amount in the bank's API. */
export const AMOUNT = /^\d{1,18}\.\d{2}$/;

/** The fields of the response; an empty object if the response is not an object. */
export const fieldsOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};

/** The value if it is a non-empty string, otherwise null. */
export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Reads a page from a response that lists its ids under `name`. Throws `RailTimedOut` if it cannot be read. */
export function pageOf(operation: string, { status, body }: BankAnswer, name: string): BankPage {
  const { [name]: ids, lastPage } = fieldsOf(body);
  const isList = Array.isArray(ids) && ids.every((id) => typeof id === 'string');
  if (status !== 200 || !isList || typeof lastPage !== 'boolean') throw new RailTimedOut(operation);
  return { ids, lastPage };
}
