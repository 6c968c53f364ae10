import { keccak_256 } from '@noble/hashes/sha3';

export type EvmAddress = `0x${string}`;

export type ParsedEvmAddress =
  | { readonly ok: true; readonly address: EvmAddress }
  | { readonly ok: false; readonly code: 'invalid-address' | 'bad-address-checksum' };

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** What programs put where they forgot an address, and where tokens are burnt: no one holds its key. */
const ZERO = /^0x0{40}$/;

/**
 * Reads an address from outside. Addresses compare lower-cased, so that is what comes back. Mixed case claims
 * an EIP-55 checksum and must keep it; one case throughout claims none. The zero address is no one's.
 */
export function parseEvmAddress(text: string): ParsedEvmAddress {
  if (typeof text !== 'string' || !ADDRESS.test(text) || ZERO.test(text)) return { ok: false, code: 'invalid-address' };
  const hex = text.slice(2);
  const address: EvmAddress = `0x${hex.toLowerCase()}`;
  const mixedCase = /[a-f]/.test(hex) && /[A-F]/.test(hex);
  return mixedCase && checksumAddress(address) !== text
    ? { ok: false, code: 'bad-address-checksum' }
    : { ok: true, address };
}

/**
 * The EIP-55 form of an address, for people to read: a letter is a capital where the hash of the lower-case
 * hex has a nibble of 8 or more. (Only the hash is taken from a library: viem would add 100 ms to every load.)
 */
export function checksumAddress(lower: string): EvmAddress {
  if (!ADDRESS.test(lower)) throw new TypeError('not an EVM address');
  const hex = lower.slice(2).toLowerCase();
  const nibbles = Buffer.from(keccak_256(hex)).toString('hex');
  const cased = Array.from(hex, (letter, i) => (nibbles.charAt(i) >= '8' ? letter.toUpperCase() : letter));
  return `0x${cased.join('')}`;
}
