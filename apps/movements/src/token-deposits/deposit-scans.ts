import type { Chain } from '@ponte/kernel';
import { CHAINS } from '@ponte/kernel';
import type { TimeReader } from '@ponte/operator';
import { DepositCursors } from './deposit-cursors.read-model';

/** Names the scan of a chain for deposits, as operators put it back. */
export const depositScanOf = (chain: Chain): string => `movements-deposits-${chain}`;

/** The lease of the process that scans a chain for deposits. */
export const depositScanLease = (chain: Chain): string => `movements/deposits/${chain}`;

/** The scans of all chains, whichever of them this installation serves. */
export const DEPOSIT_SCANS: readonly TimeReader[] = CHAINS.map((chain) => ({
  name: depositScanOf(chain),
  lease: depositScanLease(chain),
  placeIn: (views) => new DepositCursors(views).placeOf(chain),
}));
