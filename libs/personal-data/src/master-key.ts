import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { SealBroken } from '@ponte/event-sourcing';

/**
 * Encrypts ("wraps") the keys of subjects: with a key in the memory of this process ({@link localMasterKey}), or in a
 * key management service (`kmsMasterKey`).
 */
export interface MasterKey {
  /** Identifies the key without revealing it, so that a key store can detect a different key. */
  readonly fingerprint: string;
  wrap(key: Buffer, subject: string): Promise<Buffer>;
  /** Throws `SealBroken` if this key did not wrap the value for this subject. */
  unwrap(wrapped: Buffer, subject: string): Promise<Buffer>;
}

export const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM; the result is iv, ciphertext, tag. A random 96-bit iv is safe for about 2^32 texts per key. */
export function encrypt(key: Buffer, text: Buffer, boundTo: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(boundTo, 'utf8'));
  return Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** Throws `SealBroken` if anything differs from what was encrypted. */
export function decrypt(key: Buffer, sealed: Buffer, boundTo: string): Buffer {
  if (sealed.length < IV_BYTES + TAG_BYTES) throw new SealBroken();
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(boundTo, 'utf8'));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw new SealBroken();
  }
}

/** A master key in the memory of this process. */
export function localMasterKey(key: Buffer): MasterKey {
  if (key.length !== KEY_BYTES) throw new RangeError(`a master key must be ${KEY_BYTES} bytes`);
  return {
    fingerprint: createHmac('sha256', key).update('ponte master key').digest('hex').slice(0, 32),
    wrap: async (personal, subject) => encrypt(key, personal, subject),
    unwrap: async (wrapped, subject) => decrypt(key, wrapped, subject),
  };
}
