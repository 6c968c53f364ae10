import { Unavailable } from '@ponte/kernel';
import { RailFailed, RailTimedOut } from '../pix-charge/pix-charges.port';

/** Whether the failure is the bank's, so that a retry may help. */
export const isBankFailure = (error: unknown): boolean => error instanceof RailTimedOut || error instanceof RailFailed;

/** Makes a call that can be repeated at will. Throws `rail-unavailable` if the bank does not answer. */
export async function callRepeatable<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw isBankFailure(error) ? new Unavailable('rail-unavailable') : error;
  }
}

/**
 * Makes a call whose effect has an id that we chose. After a timeout, the effect is read by that id. If it does not
 * exist, or the read fails too, the caller gets a retryable error; a retry is safe under the same id.
 */
export async function callOnce<T>(write: () => Promise<T>, read: () => Promise<T | undefined>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof RailTimedOut)) throw isBankFailure(error) ? new Unavailable('rail-unavailable') : error;
    const result = await callRepeatable(read);
    if (result === undefined) throw new Unavailable('rail-unavailable');
    return result;
  }
}
