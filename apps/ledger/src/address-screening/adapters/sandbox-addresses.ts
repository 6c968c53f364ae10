import type { AddressHit } from '@ponte/contracts';
import { SANCTIONED_SANDBOX_ADDRESS } from '@ponte/contracts';

export const SANDBOX_HITS: ReadonlyMap<string, readonly AddressHit[]> = new Map([
  [SANCTIONED_SANDBOX_ADDRESS as string, [{ list: 'sandbox', entryId: 'magic-address', programs: ['SANDBOX'] }]],
]);
