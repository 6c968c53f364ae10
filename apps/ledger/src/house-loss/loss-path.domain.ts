import type { HouseAccount, TransactionPurpose } from '@ponte/contracts';
import { treasuryWalletId } from '@ponte/contracts';
import type { Chain } from '@ponte/kernel';

/** The house accounts between which a reorged movement is posted. */
export interface LossPath {
  readonly from: Extract<HouseAccount, 'loss' | 'owed' | 'issuance' | 'treasury'>;
  readonly to: Extract<HouseAccount, 'loss' | 'issuance' | 'treasury'>;
}

/** A movement that is in the books but was removed from the chain by a reorg. */
interface TakenBack {
  readonly purpose: TransactionPurpose;
  readonly chain: Chain;
  /** Whether the mint was to a wallet in our custody. */
  readonly mintedInCustody: boolean;
}

/**
 * The postings that make the books agree with the chain after a reorg removed a movement. Balances of customers and
 * `house:external` do not change: what was promised is still owed. Null if no sum that is compared with the chain
 * changes: movements between two Ponte wallets, and certificates, which are not in the books.
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
