import type { HouseAccount, TransactionPurpose } from '@ponte/contracts';
import { treasuryWalletId } from '@ponte/contracts';
import type { Chain } from '@ponte/kernel';

/** House accounts between which the tokens are posted that a reorg took back. */
export interface LossPath {
  readonly from: Extract<HouseAccount, 'loss' | 'owed' | 'issuance' | 'treasury'>;
  readonly to: Extract<HouseAccount, 'loss' | 'issuance' | 'treasury'>;
}

/** What is booked as moved, and lies where it was before. */
export interface TakenBack {
  readonly purpose: TransactionPurpose;
  readonly chain: Chain;
  /** Whether the address that a mint was for is a wallet with us. */
  readonly mintedInCustody: boolean;
}

/**
 * Where a movement is posted that a reorg took back, so that the books say again what the chain has. What was promised
 * stays promised: balances of customers and `house:external` do not change. Null when no sum that is compared with the
 * chain changes: between two wallets with us, and for certificates, which are not in the books.
 */
export function lossPathOf({ purpose, chain, mintedInCustody }: TakenBack): LossPath | null {
  switch (purpose.kind) {
    case 'mint':
      return { from: mintedInCustody ? 'loss' : 'owed', to: 'issuance' };
    case 'redemption':
      return { from: 'issuance', to: 'loss' };
    case 'token-movement': {
      if (purpose.walletIds.includes(treasuryWalletId(chain)))
        return { from: purpose.receiver === null ? 'owed' : 'loss', to: 'treasury' };
      if (purpose.owner.kind === 'order') return { from: 'treasury', to: 'loss' };
      return purpose.receiver === null ? { from: 'owed', to: 'loss' } : null;
    }
    case 'certificate-mint':
    case 'nft-movement':
      return null;
  }
}
