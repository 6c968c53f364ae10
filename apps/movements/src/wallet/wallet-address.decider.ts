import type { Timestamp } from '@ponte/contracts';
import { WalletAddressClaimed } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';

/** Stream id of an address; `address` is lower-case. */
export const walletAddressId = (chain: Chain, address: string): string => derivedId('wallet-address', chain, address);

/** Null when no wallet with us has the address. */
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
 * Which wallet has an address. Whether tokens stay with us is decided by this stream and not by the list of wallets,
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
