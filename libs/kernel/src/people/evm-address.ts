import { keccak_256 } from '@noble/hashes/sha3';
import type { Violation } from '../refusal';
import { violation } from '../refusal';

export type EvmAddress = `0x${string}`;

type ParsedEvmAddress =
  | { readonly ok: true; readonly address: EvmAddress }
  | { readonly ok: false; readonly code: 'invalid-address' | 'bad-address-checksum' };

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** The zero address is used for missing addresses and for burning tokens. It belongs to no one. */
const ZERO = /^0x0{40}$/;

/**
 * Parses an external address and returns it in lower case, in which addresses are compared. An address in mixed case
 * must have a valid EIP-55 checksum; one in a single case has no checksum. The zero address is invalid.
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

/** What a valid address looks like, by what is wrong with the given one. */
export const EVM_ADDRESS_MESSAGES = {
  'invalid-address': 'must be an EVM address: 0x and 40 hexadecimal digits, not all zero',
  'bad-address-checksum': 'must be in lower case, in upper case or with its EIP-55 checksum',
} as const;

/** What is wrong with an external address; nothing if it is valid or absent. `path` is its field of the request. */
export function evmAddressViolations(text: string | null, path: string): Violation[] {
  if (text === null) return [];
  const parsed = parseEvmAddress(text);
  return parsed.ok ? [] : [violation(parsed.code, path, EVM_ADDRESS_MESSAGES[parsed.code])];
}

/**
 * The EIP-55 form of an address, for people to read: a letter is upper case if the hash of the lower-case hex has a
 * nibble of 8 or more at its index. Only the hash comes from a library: viem would add 100 ms to every process start.
 */
export function checksumAddress(lower: string): EvmAddress {
  if (!ADDRESS.test(lower)) throw new TypeError('not an EVM address');
  const hex = lower.slice(2).toLowerCase();
  const nibbles = Buffer.from(keccak_256(hex)).toString('hex');
  const cased = Array.from(hex, (letter, i) => (nibbles.charAt(i) >= '8' ? letter.toUpperCase() : letter));
  return `0x${cased.join('')}`;
}
