const CHUNK_BITS = 10;
const CHUNK = 2 ** CHUNK_BITS;

/** A list of whole numbers from 0 to 2^32 - 1 that only grows: four bytes each, outside the heap. */
export class PackedInts {
  private readonly chunks: Uint32Array[] = [];
  private count = 0;

  get length(): number {
    return this.count;
  }

  /** The memory that is taken. */
  get bytes(): number {
    return this.chunks.length * CHUNK * Uint32Array.BYTES_PER_ELEMENT;
  }

  /** Appends the number and returns its place. */
  push(value: number): number {
    const at = this.count;
    if ((at & (CHUNK - 1)) === 0) this.chunks.push(new Uint32Array(CHUNK));
    (this.chunks[at >>> CHUNK_BITS] as Uint32Array)[at & (CHUNK - 1)] = value;
    this.count = at + 1;
    return at;
  }

  /** The number at a place below `length`. */
  at(place: number): number {
    return (this.chunks[place >>> CHUNK_BITS] as Uint32Array)[place & (CHUNK - 1)] as number;
  }
}
