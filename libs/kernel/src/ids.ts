import { hash } from 'node:crypto';

/** A lower-case canonical UUID. Version 7 when new, version 8 when derived. */
export type Uuid = string;

/** Makes new ids; the adapter brings the clock and the random. */
export interface Ids {
  /** A UUIDv7. */
  next(): Uuid;
}

/** Where the version stands in the canonical text. */
const VERSION_AT = 14;
const UUID_LENGTH = 36;
const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Ids are derived several times for every command, so the text is put together in one place and hashed in one call. */
const SCRATCH = Buffer.allocUnsafe(1_024);
const LENGTH_BYTES = 4;
/** The bytes of each length that one ASCII character can say, as text. */
const LENGTHS = Array.from({ length: 128 }, (_, length) => `\0\0\0${String.fromCharCode(length)}`);
/** Most bytes of UTF-8 for one UTF-16 unit. */
const UTF8_MOST = 3;

export function isUuid(x: unknown): x is Uuid {
  return typeof x === 'string' && CANONICAL.test(x);
}

/** A UUID in whatever case as the canonical one, any other text as it is. */
export function lowerCaseUuid(text: string): string {
  if (text.length !== UUID_LENGTH) return text;
  // A text that has only lower case already is given back as it is, which costs next to nothing.
  const lower = text.toLowerCase();
  return lower !== text && CANONICAL.test(lower) ? lower : text;
}

/** True for an id that was made, not derived: nothing that happened before can be named by it. */
export function isNewId(id: Uuid): boolean {
  return id.charAt(VERSION_AT) === '7';
}

const TIME_DIGITS = 12;
/** Random hex digits in a UUIDv7: 74 bits, two of the 76 are the variant's. */
export const RANDOM_DIGITS = 19;
/** Ids of one millisecond have the same beginning: the last one, and the text of it. */
let lastMs = -1;
let lastTime = '';

/**
 * Pure: the same time and the same {@link RANDOM_DIGITS} random lower-case hex digits make the same id. Put together
 * from whole texts, since a byte at a time cost 1 % of a quote.
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
 * The one id that follows from the parts: a UUIDv8 of their SHA-256. Each part is preceded by its length,
 * so that ('ab', 'c') and ('a', 'bc') are different ids. The first part names what the id is for.
 */
export function derivedId(...parts: readonly string[]): Uuid {
  return idOfHash(hash('sha256', shortAscii(parts) ?? lengthPrefixed(parts), 'hex'));
}

/** Text of a UUID's first 48 bits, where those that have a time have it. */
const TIME_LENGTH = 13;

/**
 * The one id that follows from another and the parts, a UUIDv8 that begins like that one: with the time at which the
 * first of the family was made. So what comes at one time stands together in the indexes of its ids, where hashes would
 * write a page for each. An origin that is no canonical UUID leaves a {@link derivedId}. Two ids of one family and one
 * name are as different as 74 bits make them.
 */
export function childId(origin: Uuid, ...parts: readonly string[]): Uuid {
  const derived = derivedId(...parts, origin);
  return isUuid(origin) ? origin.slice(0, TIME_LENGTH) + derived.slice(TIME_LENGTH) : derived;
}

/**
 * The same bytes as a text, undefined where they are not one: put together and hashed in two thirds of the time, and
 * nearly all parts are ids and names.
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
  for (const part of parts) room += LENGTH_BYTES + part.length * UTF8_MOST;
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

/** 32 hex characters: a UUID in the alphabet and length of a dynamic Pix txid. */
export function txidOf(uuid: Uuid): string {
  return hexOf(uuid);
}

/** 25 upper-case base-36 characters, the length of a static Pix txid. `uuidFromCompact` reads it back. */
export function compactId(uuid: Uuid): string {
  return BigInt(`0x${hexOf(uuid)}`)
    .toString(36)
    .toUpperCase()
    .padStart(25, '0');
}

/** The UUID behind a compact id, or undefined when the text is not one. */
export function uuidFromCompact(text: string): Uuid | undefined {
  if (!/^[0-9A-Z]{25}$/.test(text)) return undefined;
  let value = 0n;
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  // 25 digits of base 36 hold a little more than 128 bits.
  return value >= 2n ** 128n ? undefined : dashed(value.toString(16).padStart(32, '0'));
}

function hexOf(uuid: Uuid): string {
  if (!isUuid(uuid)) throw new TypeError('not a canonical UUID');
  return uuid.replaceAll('-', '');
}

/** The hex digit whose two upper bits say that this is a UUID of RFC 9562. */
const variantOf = (digit: string): string => ((Number.parseInt(digit, 16) & 0x3) | 0x8).toString(16);

const dashed = (hex: string): Uuid =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
