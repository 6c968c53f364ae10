import { RailTimedOut } from '../pix-charge/pix-charges.port';
import type { BankAnswer } from './bank-client.adapter';
import type { BankPage } from './bank-window';

/** A decimal amount of BRL as the bank writes it. */
export const AMOUNT = /^\d{1,18}\.\d{2}$/;

/** The members of an answer; none of an answer that is not an object. */
export const membersOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};

/** Null for anything but a text that is not empty. */
export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The page in an answer whose `name` lists the ids. Throws `RailTimedOut` when it cannot be read. */
export function pageOf(operation: string, { status, body }: BankAnswer, name: string): BankPage {
  const { [name]: ids, lastPage } = membersOf(body);
  const isList = Array.isArray(ids) && ids.every((id) => typeof id === 'string');
  if (status !== 200 || !isList || typeof lastPage !== 'boolean') throw new RailTimedOut(operation);
  return { ids, lastPage };
}
