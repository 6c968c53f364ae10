import type { Timestamp } from '@ponte/contracts';
import { WalletAddressClaimed } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';

/** Stream id of an address; `address` is lower-case. */
export const walletAddressId = (chain: Chain, address: string): string => derivedId('wallet-address', chain, address);

/** Null when none of our wallets has the address. */
export interface WalletAddress {
  readonly walletId: string | null;
}

export interface ClaimAddress {
  readonly chain: Chain;
  /** Lower-case. */
  readonly address: string;
  readonly walletId: string;
  readonly accountId: string;
  readonly at: Timestamp;
}

/**
 * The wallet that has an address. This stream decides whether tokens stay in our custody, not the list of wallets,
 * which may be behind the log or have lost rows.
 */
export const walletAddress: Decider<ClaimAddress, WalletAddress, WalletAddressClaimed> = {
  category: 'walletAddress',
  initial: { walletId: null },
  events: [WalletAddressClaimed],
  decide({ at, ...claim }, { walletId }) {
    if (walletId === claim.walletId) return [];
    if (walletId !== null) throw new Error(`address ${claim.address} belongs to wallet ${walletId}`);
    return [new WalletAddressClaimed({ ...claim, claimedAt: at })];
  },
  evolve(_state, { data: { walletId } }) {
    return { walletId };
  },
};
