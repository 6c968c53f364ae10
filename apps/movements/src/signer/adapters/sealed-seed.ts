import type { ScryptOptions } from 'node:crypto';
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

/** Work factor of scrypt (32 MiB, about 80 ms): paid once at start, and by an attacker for each guess. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
export const SEED_BYTES = 32;

/** A seed encrypted with AES-256-GCM, with a key derived from a passphrase. Fields are base64. */
interface SealedSeed {
  readonly version: 1;
  readonly salt: string;
  readonly nonce: string;
  readonly sealed: string;
  readonly tag: string;
}

/** Encrypts a seed with a new salt and nonce. {@link openSeed} decrypts it. */
export async function sealSeed(seed: Buffer, passphrase: string): Promise<SealedSeed> {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt), nonce);
  const sealed = Buffer.concat([cipher.update(seed), cipher.final()]);
  const text = (bytes: Buffer): string => bytes.toString('base64');
  return { version: 1, salt: text(salt), nonce: text(nonce), sealed: text(sealed), tag: text(cipher.getAuthTag()) };
}

/** Throws an Error when the passphrase is wrong or the file was changed. The message quotes nothing from the file. */
export async function openSeed(json: string, passphrase: string): Promise<Buffer> {
  const file = parse(json);
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
  const key = await keyOf(passphrase, bytes(file.salt));
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes(file.nonce), { authTagLength: 16 });
    decipher.setAuthTag(bytes(file.tag));
    return Buffer.concat([decipher.update(bytes(file.sealed)), decipher.final()]);
  } catch {
    throw new Error('the keystore does not open: the passphrase is wrong or the file was changed');
  }
}

function parse(json: string): SealedSeed {
  const fields = ['salt', 'nonce', 'sealed', 'tag'] as const;
  try {
    const file = JSON.parse(json) as Partial<SealedSeed> | null;
    if (file?.version === 1 && fields.every((field) => typeof file[field] === 'string')) return file as SealedSeed;
  } catch {
    // Reported below, without the content.
  }
  throw new Error('the keystore is not a file of a supported version');
}

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> => derive(passphrase, salt, KEY_BYTES, SCRYPT);
