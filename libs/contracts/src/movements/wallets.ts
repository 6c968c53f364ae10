import { event, requestsOf } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import type { AmountOf, Page, PageRequest, Timestamp } from '../shared';
import type { WalletRecord } from './messages';

const { command, query } = requestsOf('movements');

/** Stream `wallet-<walletId>`. The address is derived from the wallet id and the custody contract of the chain. */
export class WalletCreated extends event('WalletCreated')<{
  walletId: string;
  accountId: string;
  parentId: string | null;
  name: string;
  chain: Chain;
  address: string;
  assets: readonly AssetId[];
  uiEnabled: boolean;
  metadata: Readonly<Record<string, string>>;
  createdAt: Timestamp;
}> {}

/** The metadata and visibility of the wallet after the change. */
export class WalletMetadataChanged extends event('WalletMetadataChanged')<{
  walletId: string;
  accountId: string;
  uiEnabled: boolean;
  metadata: Readonly<Record<string, string>>;
  changedAt: Timestamp;
}> {}

export type WalletEvent = WalletCreated | WalletMetadataChanged;

export interface WalletFilters {
  /** Wallets that can hold any of these; null for all. */
  readonly assets: readonly AssetId[] | null;
  /** In lower case; null for all. */
  readonly addresses: readonly string[] | null;
}

export const ListWallets = query<{ accountId: string; filters: WalletFilters; page: PageRequest }, Page<WalletRecord>>(
  'list-wallets',
  'accountId',
);
/** What a wallet holds on its chain, one entry for each of its assets. */
export interface WalletBalances {
  readonly balances: readonly AmountOf[];
  /** When the chain was read. */
  readonly asOf: Timestamp;
}

/** Refuses wallet-not-found and chain-unavailable. */
export const GetWalletBalances = query<{ accountId: string; walletId: string }, WalletBalances>(
  'get-wallet-balances',
  'accountId',
);
/** Refuses account-not-active and limit-exceeded. */
export const CreateWallet = command<
  {
    accountId: string;
    walletId: string;
    name: string;
    chain: Chain;
    metadata: Readonly<Record<string, string>>;
    uiEnabled: boolean;
  },
  WalletRecord
>('create-wallet', 'accountId');
/**
 * Merges the metadata: null deletes a key, absent keys do not change. Null fields change nothing. Refuses
 * wallet-not-found, account-not-active and limit-exceeded.
 */
export const ChangeWalletMetadata = command<
  {
    accountId: string;
    walletId: string;
    metadata: Readonly<Record<string, string | null>> | null;
    uiEnabled: boolean | null;
  },
  WalletRecord
>('change-wallet-metadata', 'accountId');

/**
 * Stream `walletSlot-<id>`, one for each account and chain: the wallet may be created. An account has a limited number
 * of wallets on a chain, and this stream enforces the limit for parallel requests.
 */
export class WalletSlotTaken extends event('WalletSlotTaken')<{
  accountId: string;
  chain: Chain;
  walletId: string;
  takenAt: Timestamp;
}> {}

/**
 * Stream `walletAddress-<id>`, one for each address on a chain: the wallet and account that the address belongs to.
 * Appended before the wallet is created, so every address that a partner can know has its stream.
 */
export class WalletAddressClaimed extends event('WalletAddressClaimed')<{
  chain: Chain;
  /** Lower-case. */
  address: string;
  walletId: string;
  accountId: string;
  claimedAt: Timestamp;
}> {}
