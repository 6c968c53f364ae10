import { event } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { ExchangeCharges } from '../ledger/ledger-account-events';
import { NO_CHARGES } from '../ledger/ledger-account-events';
import type { PixPayee } from '../ledger/withdrawal-events';
import type { DecimalText, Failure, Timestamp } from '../shared';

export type PaymentMethod = 'account-balance' | 'brcode';

/** What pays for an order: a hold in the ledger, or a Pix charge at the bank. Each belongs to one acceptance. */
export type Funding =
  | { readonly kind: 'account-balance'; readonly holdId: string }
  | { readonly kind: 'brcode'; readonly txid: string; readonly brcode: string; readonly expiration: Timestamp };

/** Where the tokens go. `custody`: a wallet of ours, so they become a balance of the account. */
export interface TokenTarget {
  readonly address: string;
  readonly custody: boolean;
}

/**
 * What happens on a chain for an order, in one transaction: tokens are minted or burned, vault shares are bought or
 * redeemed, or the treasury pays or receives dollar tokens.
 */
export type SettlementKind =
  'mint' | 'burn' | 'vault-deposit' | 'vault-redeem' | 'treasury-payment' | 'treasury-receipt';

/**
 * A Pix key of a bank account elsewhere, and its owner when the order was placed, who has the tax id of the order's
 * account.
 */
export type PixDelivery = PixPayee;

/** How BRL reached a Pix key: delivered, or kept in the account's balance because the payout was refused for good. */
export interface Delivery {
  readonly state: 'delivered' | 'kept-in-balance';
  /** Code of the withdrawal's failure; null when delivered. */
  readonly reason: string | null;
}

/** Version 1 had one settlement: BRL for minted tokens. */
const mintedFor = (data: object): object => ({ charges: NO_CHARGES, settlement: 'mint', pixDelivery: null, ...data });
const withoutDelivery = (data: object): object => ({ delivery: null, ...data });

/** Stream `order-<orderId>`; the order's id derives from the quote's id. */
export class OrderPlaced extends event('OrderPlaced', 2, { 1: mintedFor })<{
  orderId: string;
  quoteId: string;
  accountId: string;
  parentId: string | null;
  /** Account of the API key that accepted the quote. */
  createdBy: string;
  /** Id of that key; absent when no API key made the request. */
  createdByApiKey?: string;
  externalId: string | null;
  /** The one clock reading of the decision. */
  createdAt: Timestamp;
  sourceAsset: AssetId;
  targetAsset: AssetId;
  sourceAmount: DecimalText;
  targetAmount: DecimalText;
  baseRate: DecimalText;
  effectiveRate: DecimalText;
  feeAmount: DecimalText;
  feeAsset: AssetId;
  rateLock: string | null;
  charges: ExchangeCharges;
  settlement: SettlementKind;
  /** The custody wallet that pays with tokens; null for a BRL source. */
  sourceWalletAddress: string | null;
  /** Null for a BRL target. */
  target: TokenTarget | null;
  /** Null unless BRL goes to a Pix key. */
  pixDelivery: PixDelivery | null;
  funding: Funding;
}> {}

/**
 * What pays was taken for an acceptance that did not come to an order. Appended before it is released: from here on no
 * order can name it, so a slow acceptance takes another. Other acceptances of the quote may still follow.
 */
export class AcceptanceAbandoned extends event('AcceptanceAbandoned')<{
  orderId: string;
  accountId: string;
  /** The hold's id or the charge's txid. */
  fundingId: string;
}> {}

/** The money is certain: held, or paid by Pix. */
export class OrderProcessingStarted extends event('OrderProcessingStarted')<{
  orderId: string;
  accountId: string;
  startedAt: Timestamp;
  /** The hold that will be posted: the order's own, or that of the payment. */
  holdId: string;
  /** Of a brcode order: the deposit that paid it. */
  depositId: string | null;
}> {}

/**
 * The external wallet that the tokens go to was screened, before anything was signed. Never of an order to a wallet of
 * ours. From here on only what is to be signed is screened again.
 */
export class OrderTargetScreened extends event('OrderTargetScreened')<{
  orderId: string;
  accountId: string;
  outcome: 'clear' | 'refused';
  screenedAt: Timestamp;
}> {}

/** The chain and the books are done; the BRL is held for its payout to a Pix key. */
export class OrderSettled extends event('OrderSettled')<{
  orderId: string;
  accountId: string;
  settledAt: Timestamp;
  txHash: string;
  txTimestamp: Timestamp;
  /** The withdrawal that pays the BRL out, and the hold of the credit that it owns. */
  withdrawalId: string;
  deliveryHoldId: string;
}> {}

export class OrderCompleted extends event('OrderCompleted', 2, { 1: withoutDelivery })<{
  orderId: string;
  accountId: string;
  /** As in `OrderPlaced`. */
  createdBy: string;
  createdByApiKey?: string;
  sourceAsset: AssetId;
  targetAsset: AssetId;
  sourceAmount: DecimalText;
  targetAmount: DecimalText;
  effectiveRate: DecimalText;
  completedAt: Timestamp;
  txHash: string;
  txTimestamp: Timestamp;
  sourceWalletAddress: string | null;
  targetWalletAddress: string | null;
  /** Of an order that delivers to a Pix key; null for any other. */
  delivery: Delivery | null;
}> {}

export class OrderRolledBack extends event('OrderRolledBack')<{
  orderId: string;
  accountId: string;
  rolledBackAt: Timestamp;
  previousState: 'created' | 'processing';
  failure: Failure;
}> {}

export type OrderEvent =
  | OrderPlaced
  | AcceptanceAbandoned
  | OrderProcessingStarted
  | OrderTargetScreened
  | OrderSettled
  | OrderCompleted
  | OrderRolledBack;

/**
 * Stream `externalId-<id derived from account and external id>`: an account uses an external id for one order. Each
 * acceptance of the order's quote has its own claim, which goes with its funding: one that fails takes nothing from
 * another.
 */
export class ExternalIdReserved extends event('ExternalIdReserved')<{
  accountId: string;
  orderId: string;
  /** What the acceptance takes to pay with. */
  fundingId: string;
  /** The quote cannot be accepted from here on, so a claim that no order followed is then void. */
  until: Timestamp;
}> {}
/** The acceptance did not come to an order. */
export class ExternalIdReleased extends event('ExternalIdReleased')<{
  accountId: string;
  orderId: string;
  fundingId: string;
}> {}

export type ExternalIdEvent = ExternalIdReserved | ExternalIdReleased;
