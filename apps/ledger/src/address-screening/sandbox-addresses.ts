import type { AddressHit } from '@ponte/contracts';

/** A withdrawal to this address is held for review in the sandbox. */
export const SANCTIONED_SANDBOX_ADDRESS = `0x${'5a'.repeat(20)}`;

export const SANDBOX_HITS: ReadonlyMap<string, readonly AddressHit[]> = new Map([
  [SANCTIONED_SANDBOX_ADDRESS, [{ list: 'sandbox', entryId: 'magic-address', programs: ['SANDBOX'] }]],
]);
