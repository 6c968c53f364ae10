/** An encrypted personal or secret text in an event: `sealed:v1:<subject>:<base64 of iv, ciphertext and tag>`. */
export type Sealed = `sealed:v1:${string}`;

/** The text returned when the subject's key was destroyed. */
export const ERASED = '[erased]';

/** Stands for a text that cannot be decrypted, where the rest has to be shown without it. */
export const UNAVAILABLE = '[unavailable]';

/** Whether the text stands for one that cannot be shown, so there is nothing to mask. */
export const isPlaceholder = (text: string): boolean => text === ERASED || text === UNAVAILABLE;

export const isSealed = (value: unknown): value is Sealed =>
  typeof value === 'string' && value.startsWith('sealed:v1:');

/** The subject's key was destroyed, so nothing more can be sealed for it. */
export class SubjectErased extends Error {
  override readonly name = 'SubjectErased';
  constructor() {
    super('the key of this subject was erased permanently');
  }
}

/** A sealed text cannot be decrypted: it was changed, moved to another subject, or sealed with another key store. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
  constructor() {
    super('an encrypted text cannot be decrypted: it was changed, or its key belongs to another key store');
  }
}

/**
 * Encrypts personal fields with one key per subject (AES-256-GCM; the key is wrapped by a master key). Destroying the
 * key makes the data unreadable everywhere at once: in the log, the read models and their copies.
 */
export interface PersonalData {
  /** Durably creates the subject's key at its first use. Throws {@link SubjectErased} after {@link erase}. */
  seal(subject: string, text: string): Promise<Sealed>;
  /** Returns {@link ERASED} if the subject's key is gone. Throws {@link SealBroken} if the text was tampered with. */
  open(sealed: Sealed): Promise<string>;
  /** Destroys the subject's key permanently. */
  erase(subject: string): Promise<void>;
  /** HMAC-SHA256 (hex) with a secret pepper, to compare values and check uniqueness without storing the value. */
  fingerprint(kind: string, value: string): string;
}

/**
 * The text; undefined if it cannot be decrypted. Throws every other failure, above all that of a key store that is not
 * available: the text can be opened later, so nothing may be shown in its place.
 */
export async function openIfReadable(
  personalData: Pick<PersonalData, 'open'>,
  sealed: Sealed,
): Promise<string | undefined> {
  try {
    return await personalData.open(sealed);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}
