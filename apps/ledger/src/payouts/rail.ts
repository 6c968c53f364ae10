import { Unavailable } from '@ponte/kernel';
import { RailFailed, RailTimedOut } from '../pix-charge/pix-charges.port';

/** Whether the trouble is the bank's, so that waiting may help. */
export const isRailTrouble = (error: unknown): boolean => error instanceof RailTimedOut || error instanceof RailFailed;

/** A call that can be made again at will. Throws `rail-unavailable` when the bank does not answer it. */
export async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw isRailTrouble(error) ? new Unavailable('rail-unavailable') : error;
  }
}

/**
 * A call that has an effect under an id of ours. When it times out the effect is looked for under that id; if it is not
 * there, or that is not known either, the caller gets a retryable error; a retry is safe under the same id.
 */
export async function done<T>(write: () => Promise<T>, read: () => Promise<T | undefined>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof RailTimedOut)) throw isRailTrouble(error) ? new Unavailable('rail-unavailable') : error;
    const found = await asked(read);
    if (found === undefined) throw new Unavailable('rail-unavailable');
    return found;
  }
}
