import { createHmac, randomBytes } from 'node:crypto';
import { lruCache } from '@ponte/kernel';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { ERASED, SealBroken, SubjectErased } from '@ponte/event-sourcing';
import type { MasterKey } from './master-key';
import { decrypt, encrypt, KEY_BYTES } from './master-key';
import type { PersonKeys } from './person-keys';

const PREFIX = 'sealed:v1:';
/** Number of unwrapped keys kept in memory. */
const CACHED_KEYS = 10_000;
const MAX_SUBJECT = 200;

export interface KeyCaching {
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
    const asked = make();
    cache.set(subject, asked);
    const forget = (): void => {
      if (cache.get(subject) === asked) cache.delete(subject);
    };
    asked.then((found) => {
      if (!found) forget();
    }, forget);
    return asked;
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
