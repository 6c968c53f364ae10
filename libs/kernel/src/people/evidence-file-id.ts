/** Crockford's base 32, which has no I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID_BYTES = 16;
const ULID_LENGTH = 26;

/** The format of the specification, with a length limit that our ids never exceed. */
const SHAPE = /^ev_[A-Z0-9]{1,64}$/;

/** `ev_` and the ULID of the 16 bytes in upper-case Crockford base 32. */
export function evidenceFileId(bytes: Uint8Array): string {
  if (bytes.length !== ULID_BYTES) throw new RangeError('a ULID has sixteen bytes');
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let i = 0; i < ULID_LENGTH; i++) {
    text = ALPHABET.charAt(Number(rest & 31n)) + text;
    rest >>= 5n;
  }
  return `ev_${text}`;
}

/** Whether the value has the format of a file id. An unknown id in this format is treated as not found. */
export function isEvidenceFileId(x: unknown): x is string {
  return typeof x === 'string' && SHAPE.test(x);
}
