import type { EvmAddress } from '@ponte/kernel';
import { parseEvmAddress, refuse } from '@ponte/kernel';

/**
 * The wallet that is put on an account's list. Refuses `invalid-address` and `bad-address-checksum`, without the text
 * that was sent.
 */
export function wantedWallet(text: string): EvmAddress {
  const parsed = parseEvmAddress(text);
  return parsed.ok
    ? parsed.address
    : refuse(
        parsed.code,
        'must be an EVM address, in lower case, in upper case or with its EIP-55 checksum',
        'address',
      );
}
