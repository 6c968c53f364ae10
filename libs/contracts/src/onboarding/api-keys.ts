import { createHash } from 'node:crypto';

/** Unpredictable bytes that {@link newApiKeyId} and {@link newBearerSecret} need: random, or derived with a secret. */
export const KEY_ID_BYTES = 12;
export const SECRET_BYTES = 32;

const PREFIX = { sandbox: 'ak_test_', production: 'ak_live_' } as const;
const KEY_ID = /^ak_(?:live|test)_[0-9A-Za-z]{24}$/;
const BEARER = /^sk_test_([0-9A-Za-z]{24})_[0-9A-Za-z_-]{43}$/;

export const isApiKeyId = (text: string): boolean => KEY_ID.test(text);

/** `ak_test_` in the sandbox, `ak_live_` elsewhere, and 24 hex characters of the {@link KEY_ID_BYTES} random bytes. */
export function newApiKeyId(environment: keyof typeof PREFIX, random: Uint8Array): string {
  return PREFIX[environment] + hexOf(random, KEY_ID_BYTES);
}

/** The bearer token of a sandbox caller: its key id, then {@link SECRET_BYTES} random bytes. */
export function newBearerSecret(keyId: string, random: Uint8Array): string {
  if (!KEY_ID.test(keyId) || !keyId.startsWith(PREFIX.sandbox))
    throw new TypeError('only a sandbox API key has a bearer secret');
  if (random.length !== SECRET_BYTES) throw new RangeError(`a bearer secret needs ${SECRET_BYTES} random bytes`);
  return `sk_test_${keyId.slice(PREFIX.sandbox.length)}_${Buffer.from(random).toString('base64url')}`;
}

/** The key id in a bearer secret; undefined when the text is not a bearer secret. */
export function keyIdOfBearer(secret: string): string | undefined {
  const part = BEARER.exec(secret)?.[1];
  return part === undefined ? undefined : PREFIX.sandbox + part;
}

/**
 * The stored hash of a bearer secret: SHA-256 of the whole text, lower-case hex. This is enough for 256 random bits.
 */
export const secretHashOf = (secret: string): string => createHash('sha256').update(secret, 'utf8').digest('hex');

function hexOf(random: Uint8Array, bytes: number): string {
  if (random.length !== bytes) throw new RangeError(`an API key id needs ${bytes} random bytes`);
  return Buffer.from(random).toString('hex');
}
