import type { TransactionPurpose } from '@ponte/contracts';
import type { Chain } from '@ponte/kernel';
import { treasuryWalletId } from '../wallet/wallet.decider';

/**
 * What a transaction changes: `minted` and `burned` the supply and the wallets of customers, `arriving` and `leaving`
 * only the wallets.
 */
export type MovementEffect = 'minted' | 'burned' | 'arriving' | 'leaving';

/** Null when neither the supply nor the sum of the customers' wallets changes. The treasury wallet is the house's. */
export function effectOf(purpose: TransactionPurpose, chain: Chain): MovementEffect | null {
  switch (purpose.kind) {
    case 'mint':
      return 'minted';
    case 'redemption':
      return 'burned';
    case 'token-movement': {
      const fromCustomer = !purpose.walletIds.includes(treasuryWalletId(chain));
      const toCustomer = purpose.receiver !== null;
      if (fromCustomer === toCustomer) return null;
      return toCustomer ? 'arriving' : 'leaving';
    }
    // The ledger has no certificates.
    case 'certificate-mint':
    case 'nft-movement':
      return null;
  }
}
