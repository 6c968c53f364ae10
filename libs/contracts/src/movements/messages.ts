import type { AssetId, Chain } from '@ponte/kernel';
import { requestsOf } from '@ponte/event-sourcing';
import type { AmountOf, DecimalText, Timestamp } from '../shared';
import type { SourceFunds } from '../ledger/hold.messages';
import type { SettlementKind } from '../orders/events';
import type { TransferState } from '../state-machines';
import type { TransactionConfirmed } from './chain-transaction-events';
import type { GiveUpReason, RefusedReason } from './give-up-reasons';

const { command, query } = requestsOf('movements');

export interface WalletRecord {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly chain: Chain;
  /** Lower-case. */
  readonly address: string;
  readonly assets: readonly AssetId[];
  /** Whether the account's user interfaces show it. */
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
      /** Set when it is a wallet of another Ponte account; absent for an address outside our custody. */
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
  /** Lower-case address that receives the tokens, or the custody wallet that sends them. */
  readonly wallet: string;
  /** BRL of the order: the maximum that vault shares may cost, or the minimum that redeeming them must yield. */
  readonly brlAmount: DecimalText;
  /** When the external wallet was found clear, if that was before this request was made. */
  readonly screenedAt?: Timestamp;
}

/**
 * Requests the chain movement of an order, once: its id is derived from the order's. Returns when the intent is
 * durable.
 */
export const RequestSettlement = command<SettlementPayload, { settlementId: string }>(
  'request-settlement',
  'settlementId',
);

/**
 * Makes sure that an order's settlement is never sent, whether it was requested or not. `refused` is false when it is
 * sent already or has a nonce: then its transaction's events say how it ends. `reason` is that of the end of its
 * transaction: `account-not-active` if absent.
 */
export const RefuseSettlement = command<
  { settlementId: string; kind: SettlementKind; asset: AssetId; reason?: RefusedReason },
  { refused: boolean }
>('refuse-settlement', 'settlementId');

/**
 * The state of an order's settlement; null when it was never requested. `givenUp`: why Ponte gave it up, if it failed;
 * null if it failed on the chain. `confirmed`: its transaction, if it is completed. Earlier releases send neither.
 */
export const GetSettlement = query<
  { settlementId: string; kind: SettlementKind },
  {
    settlementId: string;
    state: TransferState;
    givenUp?: GiveUpReason | null;
    confirmed?: Pick<TransactionConfirmed['data'], 'txHash' | 'minedAt' | 'confirmedAt'>;
  } | null
>('get-settlement', 'settlementId');

/** Creates the account's wallet on every chain and returns all of them; existing ones are kept. */
export const ProvisionWallets = command<
  { accountId: string; parentId: string | null },
  { wallets: readonly WalletRecord[] }
>('provision-wallets', 'accountId');

export const GetAccountWallets = query<{ accountId: string }, { wallets: readonly WalletRecord[] }>(
  'get-account-wallets',
  'accountId',
);
/**
 * The relation of an address to the account, null if it is not an address. Without an address: the account's own
 * wallet on the chain, null if none. `aboveMaximum`: whether the `tokens` that an order would move, if any, are more
 * than the signer allows in one transaction. `lacksContract`: set if the asset of the `tokens` has no contract on the
 * chain, so that they can never move.
 *
 * With `pays`, the wallet pays the `tokens`. Without an address, it is then the own wallet or, if that holds too
 * little, another one of the account that holds all of them. `lacksTokens`: whether the named wallet, or each wallet
 * of the account if none is named, is known to hold too little. Tokens that earlier movements will take do not count.
 * `movementId`: the movement that would take the `tokens`, if its own hold may have been placed before. `funds`: those
 * of the wallet in the asset; absent if they are not known, or if the account has no other wallet on the chain.
 */
export const ResolveWallet = query<
  {
    accountId: string;
    chain: Chain;
    address: string | null;
    tokens: AmountOf | null;
    pays?: boolean;
    movementId?: string;
  },
  {
    relation: WalletRelation | null;
    aboveMaximum: boolean;
    lacksContract?: true;
    lacksTokens: boolean;
    funds?: SourceFunds;
  }
>('resolve-wallet', 'accountId');

export interface ChainRecord {
  readonly chain: Chain;
  readonly chainId: number;
  /** Only for a local chain, because the URL of a provider contains a key. */
  readonly url?: string;
  /** Number of confirmations that a movement waits for. */
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
  /** Decimals of the contract, which may be fewer than those of the API. */
  readonly decimals: number;
}

/** The prices of a vault share in BRL, as reported by the vault at a block. */
export interface SharePriceRecord {
  readonly asset: AssetId;
  /** What redeeming a share yields, rounded down to 10 decimals. */
  readonly price: DecimalText;
  /** What a new share costs, rounded up to 10 decimals, so that shares bought at it never cost more than was paid. */
  readonly cost: DecimalText;
  readonly blockNumber: string;
  readonly minedAt: Timestamp;
}

/** Null when the asset has no contract here. `chain-unavailable` when no node responds. */
export const GetSharePrice = query<{ asset: AssetId }, SharePriceRecord | null>('get-share-price');

/** The supported chains and the addresses of our contracts. */
export const GetChains = query<Record<string, never>, { chains: readonly ChainRecord[] }>('get-chains');
