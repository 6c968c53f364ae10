import type { ServedPurpose } from '@ponte/contracts';

/** The id of the order that a transaction settles. Null for the movements of other resources. */
export function orderOf(purpose: ServedPurpose): string | null {
  switch (purpose.kind) {
    case 'mint':
    case 'redemption':
      return purpose.orderId;
    case 'token-movement':
      return purpose.owner.kind === 'order' ? purpose.owner.id : null;
    case 'certificate-mint':
    case 'nft-movement':
      return null;
  }
}
