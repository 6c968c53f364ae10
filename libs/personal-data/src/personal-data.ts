import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { lruCache } from '@ponte/kernel';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { ERASED, SealBroken, SubjectErased } from '@ponte/event-sourcing';
import type { PersonKeys } from './person-keys';

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
function encrypt(key: Buffer, text: Buffer, boundTo: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(boundTo, 'utf8'));
  return Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** Throws `SealBroken` if anything differs from what was encrypted. */
function decrypt(key: Buffer, sealed: Buffer, boundTo: string): Buffer {
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

const PREFIX = 'sealed:v1:';
/** Number of unwrapped keys kept in memory. */
const CACHED_KEYS = 10_000;
const MAX_SUBJECT = 200;

interface KeyCaching {
  /** How long a cached key is used before it is read again, in milliseconds. Default: forever, for a single process. */
  readonly believedMs?: number;
}

/** Encrypts with one key per subject, for any storage of the keys. */
export function createPersonalData(
  keys: PersonKeys,
  master: MasterKey,
  pepper: Buffer,
  { believedMs }: KeyCaching = {},
): PersonalData {
  const cache = lruCache<string, Promise<Buffer | null | undefined>>(CACHED_KEYS, {
    ...(believedMs === undefined ? {} : { ttl: believedMs }),
  });

  async function unwrapped(subject: string): Promise<Buffer | null | undefined> {
    const wrapped = await keys.find(subject);
    return wrapped ? master.unwrap(wrapped, subject) : wrapped;
  }

  /** Shares one look-up or creation at a time per subject. */
  function key(subject: string, make: () => Promise<Buffer | null | undefined>): Promise<Buffer | null | undefined> {
    const known = cache.get(subject);
    if (known) return known;
    const pending = make();
    cache.set(subject, pending);
    const forget = (): void => {
      if (cache.get(subject) === pending) cache.delete(subject);
    };
    pending.then((found) => {
      if (!found) forget();
    }, forget);
    return pending;
  }

  async function made(subject: string): Promise<Buffer | null | undefined> {
    const found = await unwrapped(subject);
    if (found !== undefined) return found;
    await keys.add(subject, await master.wrap(randomBytes(KEY_BYTES), subject));
    return unwrapped(subject);
  }

  return {
    async seal(subject, text) {
      if (subject === '' || subject.length > MAX_SUBJECT)
        throw new RangeError(`a subject must be 1 to ${MAX_SUBJECT} characters`);
      const personal = (await key(subject, () => made(subject))) ?? (await made(subject));
      if (!personal) throw new SubjectErased();
      return `${PREFIX}${subject}:${encrypt(personal, Buffer.from(text, 'utf8'), subject).toString('base64')}`;
    },
    async open(sealed) {
      const { subject, bytes } = parse(sealed);
      const personal = await key(subject, () => unwrapped(subject));
      if (personal === null) return ERASED;
      if (!personal) throw new SealBroken();
      return decrypt(personal, bytes, subject).toString('utf8');
    },
    async erase(subject) {
      await keys.erase(subject);
      cache.delete(subject);
    },
    fingerprint: (kind, value) => createHmac('sha256', pepper).update(`${kind.length}:${kind}:${value}`).digest('hex'),
  };
}

function parse(sealed: Sealed): { subject: string; bytes: Buffer } {
  const end = sealed.lastIndexOf(':');
  const subject = sealed.slice(PREFIX.length, end);
  const text = sealed.slice(end + 1);
  const bytes = Buffer.from(text, 'base64');
  // Buffer ignores characters that are not base64. A text that differs after a round trip was changed.
  if (!sealed.startsWith(PREFIX) || subject === '' || bytes.toString('base64') !== text) throw new SealBroken();
  return { subject, bytes };
}
