import type { Hold, SourceFunds } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
import type { LedgerAccount, OpenHold } from '../ledger-account/ledger-account.state';
import { moneyOf } from '../ledger-account/ledger-account.state';

/**
 * Whether the wallet of the hold can pay its amount. The funds were read before this decision. They do not include
 * holds that were placed since, so those are subtracted here: holds with the same source, and holds of withdrawals,
 * which may take tokens from any wallet. If a hold has ended since then, too little is subtracted, and the chain
 * decides.
 */
export function walletCovers(hold: Hold, amount: Money, funds: SourceFunds, state: LedgerAccount): boolean {
  const minor = (text: string): bigint => Money.stored(hold.asset, text).minor;
  const heldSince = (before: string, isCounted: (open: OpenHold) => boolean): bigint => {
    const since = heldNow(state, (open) => open.asset === hold.asset && isCounted(open)) - minor(before);
    return since > 0n ? since : 0n;
  };
  const bySource = heldSince(funds.held, ({ source }) => source?.walletId === hold.source?.walletId);
  const byWithdrawals =
    funds.withdrawals === undefined
      ? 0n
      : heldSince(funds.withdrawals, ({ source, owner }) => source === undefined && owner.kind === 'withdrawal');
  return amount.minor <= minor(funds.available) - bySource - byWithdrawals;
}

/** The sum of open holds, minor units. */
const heldNow = ({ holds }: LedgerAccount, isCounted: (open: OpenHold) => boolean): bigint =>
  holds
    .all()
    .filter(([, open]) => isCounted(open))
    .reduce((sum, [, open]) => sum + moneyOf(open).minor, 0n);

/**
 * The open holds of the account in the asset, oldest first. Holds placed in the same millisecond are ordered by id, so
 * that all requests agree on which of two came first.
 */
export const openHoldsOf = ({ holds }: LedgerAccount, asset: AssetId): readonly OpenHold[] =>
  holds
    .all()
    .flatMap(([, hold]) => (hold.asset === asset ? [hold] : []))
    .sort((a, b) => Date.parse(a.placedAt) - Date.parse(b.placedAt) || (a.holdId < b.holdId ? -1 : 1));
