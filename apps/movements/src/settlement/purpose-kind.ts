import type { SettlementKind, TransactionPurpose } from '@ponte/contracts';

/** What the transaction of a settlement is for. */
export function purposeKindOf(kind: SettlementKind): TransactionPurpose['kind'] {
  switch (kind) {
    case 'mint':
    case 'vault-deposit':
      return 'mint';
    case 'burn':
    case 'vault-redeem':
      return 'redemption';
    case 'treasury-payment':
    case 'treasury-receipt':
      return 'token-movement';
  }
}
