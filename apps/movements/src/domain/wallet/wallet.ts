import type { Timestamp, WalletFact, WalletRecord } from '@ponte/contracts';
import { WalletCreated } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import { ASSET_IDS, assetOf, derivedId } from '@ponte/kernel';

export type Wallet = { readonly status: 'absent' } | ({ readonly status: 'created' } & WalletRecord);

export interface CreateWallet {
  readonly kind: 'create';
  readonly walletId: string;
  readonly accountId: string;
  readonly parentId: string | null;
  readonly chain: Chain;
  /** Of the key that the signer made for this wallet, lower-case. */
  readonly address: string;
  readonly at: Timestamp;
}

/** An account has one wallet of its own on each chain, whoever provisions it and however often. */
export const walletIdOf = (accountId: string, chain: Chain): string => derivedId('wallet', accountId, chain);

export const assetsOn = (chain: Chain): AssetId[] => ASSET_IDS.filter((asset) => assetOf(asset).chain === chain);

export const wallet: Decider<CreateWallet, Wallet, WalletFact> = {
  category: 'wallet',
  initial: { status: 'absent' },
  events: [WalletCreated],

  decide({ walletId, accountId, parentId, chain, address, at }, state) {
    switch (state.status) {
      case 'created': return [];
      case 'absent':
        return [new WalletCreated({
          walletId, accountId, parentId, name: `Main wallet ${chain}`, chain, address, assets: assetsOn(chain), createdAt: at,
        })];
    }
  },

  evolve(_state, { data: { walletId, accountId, name, chain, address, assets, createdAt } }) {
    return { status: 'created', id: walletId, accountId, name, chain, address, assets, createdAt };
  },
};

/** As other services see it; null while there is none. */
export function walletRecord(state: Wallet): WalletRecord | null {
  if (state.status === 'absent') return null;
  const { id, accountId, name, chain, address, assets, createdAt } = state;
  return { id, accountId, name, chain, address, assets, createdAt };
}
