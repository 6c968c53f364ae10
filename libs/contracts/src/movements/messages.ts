import type { AssetId, Chain } from '@ponte/kernel';
import { requestsOf } from '@ponte/event-sourcing';
import type { DecimalText, Timestamp } from '../shared';
import type { SettlementKind } from '../orders/events';
import type { TransferState } from '../state-machines';

const { command, query } = requestsOf('movements');

export interface WalletRecord {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly chain: Chain;
  /** Lower-case. */
  readonly address: string;
  readonly assets: readonly AssetId[];
  /** Whether a user interface of the account's shows it. */
  readonly uiEnabled: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdAt: Timestamp;
}

/** How an address relates to an account. */
export type WalletRelation =
  | { readonly kind: 'internal'; readonly walletId: string; readonly address: string }
  | {
      readonly kind: 'external';
      readonly address: string;
      readonly whitelisted: boolean;
      readonly fxWhitelisted: boolean;
      /** The wallet of another account with us; absent of an address outside our custody. */
      readonly ofAnotherAccount?: true;
    };

export interface SettlementPayload {
  readonly settlementId: string;
  readonly orderId: string;
  readonly accountId: string;
  readonly kind: SettlementKind;
  /** The token that moves, and how much of it, at the API's scale. */
  readonly asset: AssetId;
  readonly amount: DecimalText;
  /** Lower-case address: who receives the tokens, or the custody wallet that gives them. */
  readonly wallet: string;
  /** BRL of the order: the most that backing vault shares may cost, the least that redeeming them must bring. */
  readonly brlAmount: DecimalText;
}

/** What an order needs on a chain, once: its id derives from the order's. Answers as soon as the intent is durable. */
export const RequestSettlement = command<SettlementPayload, { settlementId: string }>(
  'request-settlement',
  'settlementId',
);

/** How far the settlement of an order is; null when it was never requested. */
export const GetSettlement = query<
  { settlementId: string; kind: SettlementKind },
  { settlementId: string; state: TransferState } | null
>('get-settlement', 'settlementId');

/** The account's wallet on every chain, made once; what exists is answered. */
export const ProvisionWallets = command<
  { accountId: string; parentId: string | null },
  { wallets: readonly WalletRecord[] }
>('provision-wallets', 'accountId');

export const GetAccountWallets = query<{ accountId: string }, { wallets: readonly WalletRecord[] }>(
  'get-account-wallets',
  'accountId',
);
/** The account's own wallet on the chain when no address is given; null when it has none. */
export const ResolveWallet = query<{ accountId: string; chain: Chain; address: string | null }, WalletRelation | null>(
  'resolve-wallet',
  'accountId',
);

export interface ChainRecord {
  readonly chain: Chain;
  readonly chainId: number;
  /** Of a local chain alone: the URL of a provider carries a key. */
  readonly url?: string;
  /** That a movement is waited for. */
  readonly confirmations: number;
  /** The contract that mints. */
  readonly minter: string;
  /** The contract that deploys and moves wallets. */
  readonly custody: string;
  readonly tokens: readonly TokenRecord[];
}

export interface TokenRecord {
  readonly asset: AssetId;
  readonly address: string;
  /** Of the contract, which may have fewer than the API shows. */
  readonly decimals: number;
}

/** BRL for one vault share, ten decimals rounded down, as the vault states it at a block. */
export interface SharePriceRecord {
  readonly asset: AssetId;
  /** BRL that redeeming a share brings, rounded down to 10 decimals. */
  readonly price: DecimalText;
  /** BRL that a new share takes, rounded up to 10 decimals: what is bought at it never costs more than was paid. */
  readonly cost: DecimalText;
  readonly blockNumber: string;
  /** Time of the block, by the chain. */
  readonly minedAt: Timestamp;
}

/** Null when the asset has no contract here. `chain-unavailable` when no node answers. */
export const GetSharePrice = query<{ asset: AssetId }, SharePriceRecord | null>('get-share-price');

/** The chains that are served, and where our contracts are on them. */
export const GetChains = query<Record<string, never>, { chains: readonly ChainRecord[] }>('get-chains');
