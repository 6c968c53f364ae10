/** A personal or secret text as it may stand in an event: `sealed:v1:<subject>:<base64 of iv, ciphertext and tag>`. */
export type Sealed = `sealed:v1:${string}`;

/** Shown where the key of the subject was shredded. */
export const ERASED = '[erased]';

export const isSealed = (value: unknown): value is Sealed =>
  typeof value === 'string' && value.startsWith('sealed:v1:');

/** The subject's key was shredded: nothing more can be sealed for it. */
export class SubjectErased extends Error {
  override readonly name = 'SubjectErased';
  constructor() {
    super('the key of this subject was erased permanently');
  }
}

/** A sealed text that no key here opens: changed, moved to another subject, or sealed under another key store. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
  constructor() {
    super('an encrypted text cannot be decrypted: it was changed, or its key belongs to another key store');
  }
}

/**
 * Encrypts personal fields with a key per person (AES-256-GCM, the key wrapped by a master key), so that forgetting the
 * key forgets the person everywhere at once, in the log, the views and their copies.
 */
export interface PersonalData {
  /** The subject's key is made, durably, at its first use. Throws {@link SubjectErased} after {@link erase}. */
  seal(subject: string, text: string): Promise<Sealed>;
  /** {@link ERASED} when the subject's key is gone. Throws {@link SealBroken} when the text was tampered with. */
  open(sealed: Sealed): Promise<string>;
  /** Shreds the subject's key for good. */
  erase(subject: string): Promise<void>;
  /** HMAC-SHA256 (hex) with a secret pepper, for uniqueness and comparison without the value. */
  fingerprint(kind: string, value: string): string;
}
