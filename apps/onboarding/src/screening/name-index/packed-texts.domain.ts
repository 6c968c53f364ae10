import { PackedInts } from './packed-ints.domain';

const CHUNK_BITS = 14;
const CHUNK_BYTES = 2 ** CHUNK_BITS;

/** Texts as UTF-8 outside the heap. A text never keeps a longer text alive that it was cut from. */
export class PackedTexts {
  private readonly chunks: Buffer[] = [];
  /** Where each text starts: the number of its chunk, and the place in the chunk in the lower 14 bits. */
  private readonly starts = new PackedInts();
  private readonly lengths = new PackedInts();
  private used = 0;
  private ofChunks = 0;

  get length(): number {
    return this.starts.length;
  }

  /** The memory that is taken. */
  get bytes(): number {
    return this.ofChunks + this.starts.bytes + this.lengths.bytes;
  }

  /** Appends the text and returns its number. */
  push(text: string): number {
    const bytes = Buffer.byteLength(text);
    let chunk = this.chunks.at(-1);
    if (!chunk || this.used + bytes > chunk.length || this.used >= CHUNK_BYTES) {
      chunk = Buffer.alloc(Math.max(CHUNK_BYTES, bytes));
      this.chunks.push(chunk);
      this.ofChunks += chunk.length;
      this.used = 0;
    }
    chunk.write(text, this.used);
    this.starts.push((this.chunks.length - 1) * CHUNK_BYTES + this.used);
    this.used += bytes;
    return this.lengths.push(bytes);
  }

  /** The text with a number below `length`. */
  at(number: number): string {
    const start = this.starts.at(number);
    const from = start & (CHUNK_BYTES - 1);
    return (this.chunks[start >>> CHUNK_BITS] as Buffer).toString('utf8', from, from + this.lengths.at(number));
  }
}
