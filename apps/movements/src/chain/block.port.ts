/** Hexadecimal text: an address, a hash, a quantity or bytes. */
export type Hex = `0x${string}`;

export interface Head {
  readonly number: number;
  readonly hash: Hex;
  /** Epoch milliseconds. */
  readonly time: number;
}

/** A block by number and hash: what is read "at" it comes from its state, whatever the head is. */
export interface BlockId {
  readonly number: number;
  readonly hash: Hex;
}
