import type { Timestamp } from '@ponte/contracts';
import { WalletSlotTaken } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { derivedId, refuse } from '@ponte/kernel';
import { walletIdOf } from './wallet.decider';

/** The limit per account and chain: as many as one transaction can take tokens from. */
export const MAX_WALLETS_PER_CHAIN = 20;

/** Stream id of the wallets of an account on a chain. */
export const walletSlotsId = (accountId: string, chain: Chain): string => derivedId('wallet-slots', accountId, chain);

export interface WalletSlots {
  readonly walletIds: readonly string[];
}

export interface TakeSlot {
  readonly accountId: string;
  readonly chain: Chain;
  readonly walletId: string;
  /** Wallets that the account is known to have on the chain. */
  readonly existing: readonly string[];
  readonly at: Timestamp;
}

/**
 * A slot is taken before its wallet is created, so that parallel requests cannot exceed the limit. A repeated request
 * finds its own slot. If a request crashes in between and is never repeated, its slot stays used. Refuses with
 * `limit-exceeded`.
 */
export const walletSlots: Decider<TakeSlot, WalletSlots, WalletSlotTaken> = {
  category: 'walletSlot',
  initial: { walletIds: [] },
  events: [WalletSlotTaken],
  decide({ accountId, chain, walletId, existing, at }, { walletIds }) {
    if (walletIds.includes(walletId)) return [];
    // The main wallet is created with the account and takes no slot of this stream.
    const used = new Set([walletIdOf(accountId, chain), ...walletIds, ...existing]);
    if (!used.has(walletId) && used.size >= MAX_WALLETS_PER_CHAIN)
      refuse('limit-exceeded', `an account has at most ${MAX_WALLETS_PER_CHAIN} wallets on a chain`, 'chain');
    return [new WalletSlotTaken({ accountId, chain, walletId, takenAt: at })];
  },
  evolve({ walletIds }, { data }) {
    return { walletIds: [...walletIds, data.walletId] };
  },
};
