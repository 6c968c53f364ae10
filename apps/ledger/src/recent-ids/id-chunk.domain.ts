/** The largest number of ids in one chunk. */
export const CHUNK_IDS = 8_192;
/** An id is a UUID as four 32-bit words, plus the number of its prefix. */
const WORDS = 4;
const WORD_BYTES = 4;
const UUID_BYTES = WORDS * WORD_BYTES;
const ID_BYTES = UUID_BYTES + 1;
const MIN_CAPACITY = 8;
/** Index slots per id: at most half of the slots are taken, so a look-up takes one or two probes. */
const SLOTS_PER_ID = 2;
const MIX = 0x9e3779b1;

/** A UUID as four 32-bit words, and the number of the prefix in front of it. */
export type PackedId = readonly [first: number, second: number, third: number, fourth: number, prefix: number];

/**
 * A set of ids in insertion order. It takes 17 bytes per id, and 4 more in memory for the index. It only grows. Each
 * owner knows how many of the ids belong to it: ids at or beyond that number were added by a newer version of it.
 */
export class IdChunk {
  private bytes: ArrayBuffer;
  private words: Uint32Array;
  private prefixes: Uint8Array;
  /** Position + 1 of an id, 0 for a free slot. Built at the first look-up. */
  private index: Uint16Array | undefined;
  private whole: Uint8Array | undefined;
  length = 0;

  private constructor(
    private capacity: number,
    bytes = new ArrayBuffer(capacity * ID_BYTES),
  ) {
    this.bytes = bytes;
    this.words = new Uint32Array(bytes, 0, capacity * WORDS);
    this.prefixes = new Uint8Array(bytes, capacity * UUID_BYTES, capacity);
  }

  static empty(): IdChunk {
    return new IdChunk(MIN_CAPACITY);
  }

  /** Decodes what {@link IdChunk.encoded} returned and takes ownership of it. Throws if the length is invalid. */
  static decoded(encoded: Uint8Array): IdChunk {
    const length = encoded.byteLength / ID_BYTES;
    if (!Number.isInteger(length) || length < 1 || length > CHUNK_IDS) throw new Error('the bytes are not packed ids');
    const { buffer, byteLength } = encoded;
    const whole = buffer.byteLength === byteLength && buffer instanceof ArrayBuffer;
    const chunk = new IdChunk(length, whole ? buffer : new Uint8Array(encoded).buffer);
    chunk.length = length;
    return chunk;
  }

  /** The position of an id, or -1 if it is missing. */
  find([first, second, third, fourth, prefix]: PackedId): number {
    const { words, prefixes } = this;
    const index = (this.index ??= this.indexed());
    const mask = index.length - 1;
    for (let slot = slotOf(fourth, mask); ; slot = (slot + 1) & mask) {
      const place = (index[slot] as number) - 1;
      if (place < 0) return -1;
      const at = place * WORDS;
      if (
        words[at + 3] === fourth &&
        words[at] === first &&
        words[at + 1] === second &&
        words[at + 2] === third &&
        prefixes[place] === prefix
      )
        return place;
    }
  }

  /** Adds a missing id. The chunk must not be full. */
  add([first, second, third, fourth, prefix]: PackedId): void {
    if (this.length === this.capacity) this.grow(Math.min(CHUNK_IDS, this.capacity * 2));
    this.words.set([first, second, third, fourth], this.length * WORDS);
    this.prefixes[this.length] = prefix;
    if (this.index) put(this.index, fourth, this.length);
    this.length += 1;
  }

  /** A separate chunk with the first `length` ids. */
  copy(length: number): IdChunk {
    const copy = new IdChunk(Math.max(MIN_CAPACITY, length));
    copy.words.set(this.words.subarray(0, length * WORDS));
    copy.prefixes.set(this.prefixes.subarray(0, length));
    copy.length = length;
    return copy;
  }

  /** The first `length` ids as bytes, in this machine's byte order. A full chunk returns the same object each time. */
  encoded(length: number): Uint8Array {
    if (length === CHUNK_IDS && this.capacity === CHUNK_IDS) return (this.whole ??= new Uint8Array(this.bytes));
    return new Uint8Array(this.copyBytes(length));
  }

  private copyBytes(length: number): ArrayBuffer {
    const bytes = new ArrayBuffer(length * ID_BYTES);
    new Uint32Array(bytes, 0, length * WORDS).set(this.words.subarray(0, length * WORDS));
    new Uint8Array(bytes, length * UUID_BYTES, length).set(this.prefixes.subarray(0, length));
    return bytes;
  }

  private grow(capacity: number): void {
    const { words, prefixes, length } = this;
    this.bytes = new ArrayBuffer(capacity * ID_BYTES);
    this.words = new Uint32Array(this.bytes, 0, capacity * WORDS);
    this.prefixes = new Uint8Array(this.bytes, capacity * UUID_BYTES, capacity);
    this.words.set(words.subarray(0, length * WORDS));
    this.prefixes.set(prefixes.subarray(0, length));
    this.capacity = capacity;
    this.index = undefined;
  }

  private indexed(): Uint16Array {
    let slots = MIN_CAPACITY;
    while (slots < this.capacity * SLOTS_PER_ID) slots *= 2;
    const index = new Uint16Array(slots);
    for (let place = 0; place < this.length; place += 1) put(index, this.words[place * WORDS + 3] as number, place);
    return index;
  }
}

const slotOf = (word: number, mask: number): number => (Math.imul(word, MIX) >>> 15) & mask;

function put(index: Uint16Array, word: number, place: number): void {
  const mask = index.length - 1;
  let slot = slotOf(word, mask);
  while (index[slot] !== 0) slot = (slot + 1) & mask;
  index[slot] = place + 1;
}
