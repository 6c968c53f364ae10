import type { Timestamp, WalletEvent, WalletRecord } from '@ponte/contracts';
import { WalletCreated, WalletMetadataChanged } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import { ASSET_IDS, assetOf, canonicalJson, derivedId, pick, refuse } from '@ponte/kernel';
import { referenceOf } from '../token-movement/chain-values.domain';

type Metadata = Readonly<Record<string, string>>;
/** A null key is deleted; an absent key is kept. */
type MetadataChange = Readonly<Record<string, string | null>>;

type Wallet =
  { readonly status: 'absent' } | ({ readonly status: 'created'; readonly parentId: string | null } & WalletRecord);

export interface CreateWallet {
  readonly kind: 'create';
  readonly walletId: string;
  readonly accountId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly chain: Chain;
  /** The address that the custody contract derives for this wallet, lower-case. */
  readonly address: string;
  readonly uiEnabled: boolean;
  readonly metadata: Metadata;
  readonly at: Timestamp;
}

export interface ChangeMetadata {
  readonly kind: 'change-metadata';
  readonly accountId: string;
  /** Null changes nothing. */
  readonly metadata: MetadataChange | null;
  /** Null changes nothing. */
  readonly uiEnabled: boolean | null;
  readonly at: Timestamp;
}

type WalletCommand = CreateWallet | ChangeMetadata;

/** The gateway has already checked the form of keys and values. */
export const MAX_METADATA_KEYS = 50;

/**
 * The id of an account's main wallet on a chain. It is derived, so that provisioning it twice gives the same wallet.
 */
export const walletIdOf = (accountId: string, chain: Chain): string => derivedId('wallet', accountId, chain);

export { treasuryWalletId } from '@ponte/contracts';

export const mainWalletName = (chain: Chain): string => `Main wallet ${chain}`;

/** The salt from which the custody contract derives the wallet's address: the id itself, as 32 bytes. */
export const saltOf = (walletId: string): `0x${string}` => referenceOf(walletId);

export const assetsOn = (chain: Chain): AssetId[] => ASSET_IDS.filter((asset) => assetOf(asset).chain === chain);

export const refuseUnknownWallet = (path = ''): never =>
  refuse('wallet-not-found', 'the account has no such wallet', path);

export const wallet: Decider<WalletCommand, Wallet, WalletEvent> = {
  category: 'wallet',
  initial: { status: 'absent' },
  events: [WalletCreated, WalletMetadataChanged],

  decide(command, state) {
    switch (command.kind) {
      case 'create':
        return create(command, state);
      case 'change-metadata':
        return changeMetadata(command, state);
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'WalletCreated': {
        const { walletId: id, ...created } = event.data;
        return { status: 'created', id, ...created };
      }
      case 'WalletMetadataChanged': {
        if (state.status === 'absent') throw new Error('metadata is recorded for a wallet that was never created');
        const { uiEnabled, metadata } = event.data;
        return { ...state, uiEnabled, metadata };
      }
    }
  },
};

function create(command: CreateWallet, state: Wallet): WalletEvent[] {
  if (state.status === 'created') return [];
  const { chain, uiEnabled, metadata, at } = command;
  const kept = pick(command, 'walletId', 'accountId', 'parentId', 'name', 'chain', 'address');
  return [
    new WalletCreated({ ...kept, assets: assetsOn(chain), uiEnabled, metadata: merged({}, metadata), createdAt: at }),
  ];
}

/** A wallet of another account is refused as if it did not exist. */
function changeMetadata(
  { accountId, metadata: change, uiEnabled: visible, at }: ChangeMetadata,
  state: Wallet,
): WalletEvent[] {
  if (state.status === 'absent' || state.accountId !== accountId) return refuseUnknownWallet();
  const metadata = merged(state.metadata, change ?? {});
  const uiEnabled = visible ?? state.uiEnabled;
  if (uiEnabled === state.uiEnabled && canonicalJson(metadata) === canonicalJson(state.metadata)) return [];
  return [new WalletMetadataChanged({ walletId: state.id, accountId, uiEnabled, metadata, changedAt: at })];
}

/** Refuses more keys than a wallet may have with `limit-exceeded`. */
function merged(before: Metadata, change: MetadataChange): Metadata {
  const entries = new Map<string, string>(Object.entries(before));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) entries.delete(key);
    else entries.set(key, value);
  }
  if (entries.size > MAX_METADATA_KEYS)
    refuse('limit-exceeded', `a wallet has at most ${MAX_METADATA_KEYS} keys of metadata`, 'metadata');
  return Object.fromEntries(entries);
}

/** The wallet as other services see it, or null. */
export function walletRecord(state: Wallet): WalletRecord | null {
  if (state.status === 'absent') return null;
  return {
    ...pick(state, 'id', 'accountId', 'name', 'chain', 'address'),
    ...pick(state, 'assets', 'uiEnabled', 'metadata', 'createdAt'),
  };
}
