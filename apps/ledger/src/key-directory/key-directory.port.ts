import type { PixKey } from '@ponte/kernel';
import type { Payee } from '../person/payee.domain';

/** The directory of Pix keys (DICT), as far as the bank lets us query it. */
export interface KeyDirectory {
  /** The owner of the key. Undefined if the key is not registered. Rejects with `RailTimedOut` or `RailFailed`. */
  lookUp(key: PixKey): Promise<Payee | undefined>;
}

export const KEY_DIRECTORY = Symbol('KeyDirectory');
