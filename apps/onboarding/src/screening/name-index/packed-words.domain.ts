import { PackedInts } from './packed-ints.domain';
import { PackedTexts } from './packed-texts.domain';

const MIN_SLOTS = 64;

/** A 32-bit hash (FNV-1a) of the characters. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Numbers words from 0 in the order in which they come first. A hash table outside the heap. */
export class PackedWords {
  readonly texts = new PackedTexts();
  private readonly hashes = new PackedInts();
  /** The number of a word plus one; 0 for a free slot. Always less than half full. */
  private slots = new Uint32Array(MIN_SLOTS);

  /** The memory that is taken. */
  get bytes(): number {
    return this.texts.bytes + this.hashes.bytes + this.slots.byteLength;
  }

  /** The number of the word, and whether the word is new. */
  add(word: string): { readonly number: number; readonly isNew: boolean } {
    const hash = hashOf(word);
    const slot = this.slotOf(hash, (number) => this.hashes.at(number) === hash && this.texts.at(number) === word);
    const known = this.slots[slot] as number;
    if (known !== 0) return { number: known - 1, isNew: false };
    this.hashes.push(hash);
    const number = this.texts.push(word);
    this.slots[slot] = number + 1;
    if (this.texts.length * 2 > this.slots.length) this.grow();
    return { number, isNew: true };
  }

  /** The slot of the word that `isSame` accepts, or the free slot for it. */
  private slotOf(hash: number, isSame: (number: number) => boolean): number {
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const known = this.slots[slot] as number;
      if (known === 0 || isSame(known - 1)) return slot;
    }
  }

  private grow(): void {
    this.slots = new Uint32Array(this.slots.length * 2);
    for (let number = 0; number < this.hashes.length; number++)
      this.slots[this.slotOf(this.hashes.at(number), () => false)] = number + 1;
  }
}
