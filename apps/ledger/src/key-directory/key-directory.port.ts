import type { PixKey } from '@ponte/kernel';

/** The owner of a Pix key and the account behind it. Not encrypted: it must not leave the command that seals it. */
export interface KeyOwner {
  /** CPF or CNPJ, normalised. */
  readonly taxId: string;
  readonly legalName: string;
  /** ISPB, 8 characters. */
  readonly bankCode: string;
  readonly branchCode: string;
  readonly accountNumber: string;
}

/** The directory of Pix keys (DICT), as far as the bank lets us query it. */
export interface KeyDirectory {
  /** Undefined if the key is not registered. Rejects with `RailTimedOut` or `RailFailed`. */
  lookUp(key: PixKey): Promise<KeyOwner | undefined>;
}

export const KEY_DIRECTORY = Symbol('KeyDirectory');
