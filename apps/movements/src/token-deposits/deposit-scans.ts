import type { Chain } from '@ponte/kernel';
import { CHAINS } from '@ponte/kernel';
import type { TimeReader } from '@ponte/operator';
import { DepositCursors } from './deposit-cursors.read-model';

/** Name of the scan of a chain, with which operators set it back. */
export const depositScanOf = (chain: Chain): string => `movements-deposits-${chain}`;

/** The lease of the process that scans a chain for deposits. */
export const depositScanLease = (chain: Chain): string => `movements/deposits/${chain}`;

/** The scans of all chains, including those that this installation does not serve. */
export const DEPOSIT_SCANS: readonly TimeReader[] = CHAINS.map((chain) => ({
  name: depositScanOf(chain),
  lease: depositScanLease(chain),
  positionIn: (readModels) => new DepositCursors(readModels).positionOf(chain),
}));
