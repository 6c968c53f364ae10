import type { Hold, SourceFunds } from '@ponte/contracts';
import { Money } from '@ponte/kernel';
import type { LedgerAccount } from '../ledger-account/ledger-account.state';
import { moneyOf } from '../ledger-account/ledger-account.state';

/**
 * Whether the wallet of the hold can pay its amount. The funds were read before this decision. Holds that were placed
 * since are not in them, so they are taken off here. If a hold has ended since, too little is taken off, and the chain
 * decides.
 */
export function walletCovers(hold: Hold, amount: Money, funds: SourceFunds, state: LedgerAccount): boolean {
  const minor = (text: string): bigint => Money.stored(hold.asset, text).minor;
  const heldSince = heldInWallet(state, hold) - minor(funds.held);
  return amount.minor <= minor(funds.available) - (heldSince > 0n ? heldSince : 0n);
}

/** The sum of the open holds in the asset that the wallet pays, minor units. */
const heldInWallet = ({ holds }: LedgerAccount, { asset, source }: Hold): bigint =>
  holds
    .all()
    .filter(([, open]) => open.asset === asset && open.source?.walletId === source?.walletId)
    .reduce((sum, [, open]) => sum + moneyOf(open).minor, 0n);
