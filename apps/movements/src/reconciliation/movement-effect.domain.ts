import type { TransactionPurpose } from '@ponte/contracts';
import type { Chain } from '@ponte/kernel';
import { treasuryWalletId } from '../wallet/wallet.decider';

/**
 * The effect of a transaction: `minted` and `burned` change the supply and the wallets of customers, `arriving` and
 * `leaving` only the wallets.
 */
export type MovementEffect = 'minted' | 'burned' | 'arriving' | 'leaving';

/** Null when neither the supply nor the total of customers' wallets changes. The treasury wallet is ours. */
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
