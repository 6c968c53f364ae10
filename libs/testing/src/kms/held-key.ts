import { createCipheriv, createDecipheriv, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';

/** Sizes in bytes: the id of a key in a ciphertext, a symmetric key, and what AES-GCM adds to a text. */
const [ID_BYTES, KEY_BYTES, IV_BYTES, TAG_BYTES] = [36, 32, 12, 16];

/** A key that KMS holds. */
export interface HeldKey {
  readonly id: string;
  readonly secret: Uint8Array;
  readonly spki: Buffer;
  readonly spec: string;
  isDeleted: boolean;
}

export function symmetricKey(): HeldKey {
  const secret = randomBytes(KEY_BYTES);
  return { id: randomUUID(), secret, spki: Buffer.alloc(0), spec: 'SYMMETRIC_DEFAULT', isDeleted: false };
}

export function ellipticKey(spec: string): HeldKey {
  const namedCurve = spec === 'ECC_SECG_P256K1' ? 'secp256k1' : 'P-256';
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
  return {
    id: randomUUID(),
    secret: Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url'),
    spki: publicKey.export({ format: 'der', type: 'spki' }),
    spec,
    isDeleted: false,
  };
}

/** A ciphertext as KMS returns it: it contains the id of its key. */
export function encrypted({ id, secret }: HeldKey, text: Buffer, context: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(context);
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([Buffer.from(id), iv, cipher.getAuthTag(), sealed]);
}

/** The id of the key of a ciphertext; any text for another value. */
export const keyIdOf = (blob: Buffer): string => blob.subarray(0, ID_BYTES).toString();

/** Undefined if the context or the ciphertext is another one. */
export function decrypted({ secret }: HeldKey, blob: Buffer, context: Buffer): Buffer | undefined {
  const sealed = blob.subarray(ID_BYTES);
  try {
    const decipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(0, IV_BYTES));
    decipher.setAAD(context).setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}
