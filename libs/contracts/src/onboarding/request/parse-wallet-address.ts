import type { EvmAddress } from '@ponte/kernel';
import { EVM_ADDRESS_MESSAGES, parseEvmAddress, refuse } from '@ponte/kernel';

/**
 * Parses the address of a wallet to be whitelisted. Refuses `invalid-address` and `bad-address-checksum`, without
 * repeating the text.
 */
export function parseWalletAddress(text: string): EvmAddress {
  const parsed = parseEvmAddress(text);
  return parsed.ok ? parsed.address : refuse(parsed.code, EVM_ADDRESS_MESSAGES[parsed.code], 'address');
}
