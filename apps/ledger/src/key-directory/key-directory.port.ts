import type { PixKey } from '@ponte/kernel';

/**
 * Who owns a Pix key, and the account that it stands for. In clear, so it goes no further than the command that seals
 * it.
 */
export interface KeyOwner {
  /** CPF or CNPJ, normalised. */
  readonly taxId: string;
  readonly legalName: string;
  /** ISPB, 8 characters. */
  readonly bankCode: string;
  readonly branchCode: string;
  readonly accountNumber: string;
}

/** The directory of Pix keys (DICT), as the bank lets us look keys up. */
export interface KeyDirectory {
  /** Undefined when the key is not registered. Rejects with `RailTimedOut` or `RailFailed`. */
  lookUp(key: PixKey): Promise<KeyOwner | undefined>;
}

export const KEY_DIRECTORY = Symbol('KeyDirectory');
