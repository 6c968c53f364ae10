/** Hexadecimal text: an address, a hash, a quantity or bytes. */
export type Hex = `0x${string}`;

export interface Head {
  readonly number: number;
  readonly hash: Hex;
  /** Epoch milliseconds. */
  readonly time: number;
}

/** A block by number and hash. A read at a block uses the state of that block, whatever the head is. */
export interface BlockId {
  readonly number: number;
  readonly hash: Hex;
}
