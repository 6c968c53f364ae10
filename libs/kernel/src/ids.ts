import { hash } from 'node:crypto';

/** A UUID in lower case. New ids have version 7, derived ids version 8. */
type Uuid = string;

/** Generates ids. The adapter supplies the clock and the random numbers. */
export interface Ids {
  /** A UUIDv7. */
  next(): Uuid;
}

/** Offset of the version digit in the text. */
const VERSION_AT = 14;
const UUID_LENGTH = 36;
const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Buffer for the input of a hash. Ids are derived several times per command, so the input is built in one place and
 * hashed with one call.
 */
const SCRATCH = Buffer.allocUnsafe(1_024);
const LENGTH_BYTES = 4;
/** The four-byte lengths from 0 to 127, as text. */
const LENGTHS = Array.from({ length: 128 }, (_, length) => `\0\0\0${String.fromCharCode(length)}`);
/** The largest number of UTF-8 bytes for one UTF-16 unit. */
const MAX_UTF8_BYTES = 3;

export function isUuid(x: unknown): x is Uuid {
  return typeof x === 'string' && CANONICAL.test(x);
}

/** Converts a UUID to lower case; returns any other text unchanged. */
export function lowerCaseUuid(text: string): string {
  if (text.length !== UUID_LENGTH) return text;
  // Texts that are already in lower case are returned as they are, which costs almost nothing.
  const lower = text.toLowerCase();
  return lower !== text && CANONICAL.test(lower) ? lower : text;
}

/** True for a new id, false for a derived one. A new id refers to nothing that existed before it. */
export function isNewId(id: Uuid): boolean {
  return id.charAt(VERSION_AT) === '7';
}

const TIME_DIGITS = 12;
/** Number of random hex digits in a UUIDv7: 74 bits, because two of the 76 bits are the variant. */
export const RANDOM_DIGITS = 19;
/** The last millisecond used and its text, because ids of one millisecond start alike. */
let lastMs = -1;
let lastTime = '';

/**
 * Pure: the same time and the same {@link RANDOM_DIGITS} random lower-case hex digits give the same id. Built from
 * larger pieces of text, because building it byte by byte cost 1 % of a quote.
 */
export function uuidV7(nowMs: number, random: string): Uuid {
  if (!Number.isSafeInteger(nowMs) || nowMs < 0) throw new RangeError('a UUIDv7 needs whole epoch milliseconds');
  if (random.length < RANDOM_DIGITS) throw new RangeError(`a UUIDv7 needs ${RANDOM_DIGITS} random digits`);
  if (nowMs !== lastMs) {
    const digits = nowMs.toString(16).padStart(TIME_DIGITS, '0');
    lastTime = `${digits.slice(0, 8)}-${digits.slice(8)}-7`;
    lastMs = nowMs;
  }
  return `${lastTime}${random.slice(0, 3)}-${variantOf(random.charAt(3))}${random.slice(4, 7)}-${random.slice(7, RANDOM_DIGITS)}`;
}

/**
 * Derives an id from the parts: a UUIDv8 of their SHA-256. Each part is preceded by its length, so that ('ab', 'c') and
 * ('a', 'bc') give different ids. The first part names the purpose of the id.
 */
export function derivedId(...parts: readonly string[]): Uuid {
  return idOfHash(hash('sha256', shortAscii(parts) ?? lengthPrefixed(parts), 'hex'));
}

/** Length of the text of a UUID's first 48 bits, which contain the time in ids that have one. */
const TIME_LENGTH = 13;

/**
 * Derives an id from another id and the parts: a UUIDv8 that starts with the first 48 bits of `origin`, which is the
 * time of the first id of the family. So ids made at one time are adjacent in database indexes, whereas hashes would
 * write to a different page for each id. If `origin` is not a canonical UUID, the result is a plain {@link derivedId}.
 * The remaining 74 bits distinguish the ids of one family.
 */
export function childId(origin: Uuid, ...parts: readonly string[]): Uuid {
  const derived = derivedId(...parts, origin);
  return isUuid(origin) ? origin.slice(0, TIME_LENGTH) + derived.slice(TIME_LENGTH) : derived;
}

/**
 * The bytes of {@link lengthPrefixed} as text; undefined if a part is not short ASCII. Building and hashing the text
 * takes two thirds of the time, and nearly all parts are ids and names.
 */
function shortAscii(parts: readonly string[]): string | undefined {
  let text = '';
  for (const part of parts) {
    if (part.length >= LENGTHS.length) return undefined;
    text += `${LENGTHS[part.length]}${part}`;
  }
  return Buffer.byteLength(text) === text.length ? text : undefined;
}

function lengthPrefixed(parts: readonly string[]): Buffer {
  let room = 0;
  for (const part of parts) room += LENGTH_BYTES + part.length * MAX_UTF8_BYTES;
  const text = room <= SCRATCH.length ? SCRATCH : Buffer.allocUnsafe(room);
  let end = 0;
  for (const part of parts) {
    const written = text.write(part, end + LENGTH_BYTES, 'utf8');
    text.writeUInt32BE(written, end);
    end += LENGTH_BYTES + written;
  }
  return text.subarray(0, end);
}

const idOfHash = (hex: string): Uuid =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variantOf(hex.charAt(16))}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;

/** 32 hex characters: a UUID in the format of a dynamic Pix txid. */
export function txidOf(uuid: Uuid): string {
  return hexOf(uuid);
}

/** 25 upper-case base-36 characters, the longest static Pix txid. `uuidFromCompact` is the inverse. */
export function compactId(uuid: Uuid): string {
  return BigInt(`0x${hexOf(uuid)}`)
    .toString(36)
    .toUpperCase()
    .padStart(25, '0');
}

/** The UUID of a compact id; undefined if the text is not a compact id. */
export function uuidFromCompact(text: string): Uuid | undefined {
  if (!/^[0-9A-Z]{25}$/.test(text)) return undefined;
  let value = 0n;
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  // 25 digits of base 36 can hold a little more than 128 bits.
  return value >= 2n ** 128n ? undefined : dashed(value.toString(16).padStart(32, '0'));
}

function hexOf(uuid: Uuid): string {
  if (!isUuid(uuid)) throw new TypeError('not a canonical UUID');
  return uuid.replaceAll('-', '');
}

/** Sets the two upper bits of a hex digit to the variant of RFC 9562. */
const variantOf = (digit: string): string => ((Number.parseInt(digit, 16) & 0x3) | 0x8).toString(16);

const dashed = (hex: string): Uuid =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
