import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { PersonalData, Sealed, BlobMeta, StoredBlob } from '@ponte/event-sourcing';
import { ERASED, isSealed, SealBroken, SubjectErased, BlobDamaged, BlobDeleted } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';

/*
 * A stored blob: "PONTEBLOB1\n", the length of the header in four bytes, the header in JSON, ciphertext, tag. The
 * header contains the key of the blob, sealed for a subject of its own. Id, marker, length and header are authenticated
 * with the content.
 */
const MARKER = Buffer.from('PONTEBLOB1\n', 'latin1');
const LENGTH_BYTES = 4;
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const MAX_HEADER_BYTES = 4_096;

interface Header {
  readonly key: Sealed;
  readonly contentType: string;
}

const ID = /^[A-Za-z0-9_-]{1,100}$/;

export const isBlobId = (text: string): boolean => ID.test(text);

/** Throws a RangeError for an invalid id, before it is used as a path. */
export function checkBlobId(id: string): void {
  if (!ID.test(id)) throw new RangeError('a blob id must be 1 to 100 letters, digits, underscores and hyphens');
}

/** Destroying this subject's key makes the blob unreadable, wherever its bytes were copied. */
export const blobSubject = (id: string): string => derivedId('blob', id);

/** Throws `BlobDeleted` if the id's key was destroyed. */
export async function sealBlob(
  personalData: PersonalData,
  id: string,
  bytes: Uint8Array,
  { contentType }: BlobMeta,
): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES);
  const header = Buffer.from(
    JSON.stringify({ key: await sealKey(personalData, id, key), contentType } satisfies Header),
    'utf8',
  );
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(header.length);
  const front = Buffer.concat([MARKER, length, header]);
  // The key encrypts only this content, so a fixed iv is never used twice with it.
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(IV_BYTES), { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.concat([Buffer.from(`${id}\n`, 'utf8'), front]));
  return Buffer.concat([front, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined if the blob's key was destroyed. Throws `BlobDamaged`. */
export async function openBlob(
  personalData: PersonalData,
  id: string,
  stored: Buffer,
): Promise<StoredBlob | undefined> {
  const { header, front, rest } = takeApart(stored);
  const key = await openKey(personalData, id, header.key);
  if (key === undefined) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.alloc(IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.concat([Buffer.from(`${id}\n`, 'utf8'), front]));
    decipher.setAuthTag(rest.subarray(-TAG_BYTES));
    const bytes = Buffer.concat([decipher.update(rest.subarray(0, -TAG_BYTES)), decipher.final()]);
    return { bytes, meta: { contentType: header.contentType } };
  } catch {
    throw new BlobDamaged();
  }
}

function takeApart(stored: Buffer): { header: Header; front: Buffer; rest: Buffer } {
  const start = MARKER.length + LENGTH_BYTES;
  if (stored.length < start + TAG_BYTES || !stored.subarray(0, MARKER.length).equals(MARKER)) throw new BlobDamaged();
  const end = start + stored.readUInt32BE(MARKER.length);
  if (end > start + MAX_HEADER_BYTES || end + TAG_BYTES > stored.length) throw new BlobDamaged();
  return {
    header: headerOf(stored.toString('utf8', start, end)),
    front: stored.subarray(0, end),
    rest: stored.subarray(end),
  };
}

function headerOf(text: string): Header {
  try {
    const header = JSON.parse(text) as Partial<Header> | null;
    if (isSealed(header?.key) && typeof header.contentType === 'string')
      return { key: header.key, contentType: header.contentType };
  } catch {
    // Reported below.
  }
  throw new BlobDamaged();
}

async function sealKey(personalData: PersonalData, id: string, key: Buffer): Promise<Sealed> {
  try {
    return await personalData.seal(blobSubject(id), key.toString('base64'));
  } catch (error) {
    throw error instanceof SubjectErased ? new BlobDeleted() : error;
  }
}

async function openKey(personalData: PersonalData, id: string, sealed: Sealed): Promise<Buffer | undefined> {
  // The header of another blob is detected before its key is read: that key could be opened, and only the decryption of
  // the content would fail.
  if (!sealed.startsWith(`sealed:v1:${blobSubject(id)}:`)) throw new BlobDamaged();
  try {
    const text = await personalData.open(sealed);
    return text === ERASED ? undefined : Buffer.from(text, 'base64');
  } catch (error) {
    throw error instanceof SealBroken ? new BlobDamaged() : error;
  }
}
