import type { ServedPurpose } from '@ponte/contracts';

/** A transfer of tokens or of a reward certificate. */
export interface MovedResource {
  readonly kind: 'transfer' | 'nft-transfer';
  readonly transferId: string;
}

/** The transfer that a transaction is for; null when it is for something else. */
export function transferOf(purpose: ServedPurpose): MovedResource | null {
  if (purpose.kind === 'nft-movement') return { kind: 'nft-transfer', transferId: purpose.id };
  if (purpose.kind !== 'token-movement' || purpose.owner.kind !== 'transfer') return null;
  return { kind: 'transfer', transferId: purpose.owner.id };
}
