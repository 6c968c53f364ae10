import { event } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { ExchangeCharges } from '../ledger/ledger-account-events';
import { NO_CHARGES } from '../ledger/ledger-account-events';
import type { PixPayee } from '../ledger/withdrawal-events';
import type { DecimalText, Failure, Timestamp } from '../shared';

export type PaymentMethod = 'account-balance' | 'brcode';

/** What pays for an order: a hold in the ledger or a Pix charge at the bank. Each acceptance of a quote has its own. */
export type Funding =
  | { readonly kind: 'account-balance'; readonly holdId: string }
  | { readonly kind: 'brcode'; readonly txid: string; readonly brcode: string; readonly expiration: Timestamp };

/**
 * The wallet that receives the tokens. `custody`: it is in our custody, so the tokens become a balance of the account.
 */
interface TokenTarget {
  readonly address: string;
  readonly custody: boolean;
}

/**
 * The one transaction on a chain that settles an order: tokens are minted or burned, vault shares are bought or
 * redeemed, or the treasury pays or receives dollar tokens.
 */
export type SettlementKind =
  'mint' | 'burn' | 'vault-deposit' | 'vault-redeem' | 'treasury-payment' | 'treasury-receipt';

/**
 * A Pix key at another bank and its owner when the order was placed. The owner has the tax id of the order's account.
 */
export type PixDelivery = PixPayee;

/**
 * What happened to BRL for a Pix key: `delivered`, or `kept-in-balance` of the account because the payout failed for
 * good.
 */
export interface Delivery {
  readonly state: 'delivered' | 'kept-in-balance';
  /** Failure code of the withdrawal; null if delivered. */
  readonly reason: string | null;
}

/** Version 1 had one settlement: BRL for minted tokens. */
const mintedFor = (data: object): object => ({ charges: NO_CHARGES, settlement: 'mint', pixDelivery: null, ...data });
const withoutDelivery = (data: object): object => ({ delivery: null, ...data });

/** Stream `order-<orderId>`; the id is derived from the id of the quote. */
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
  /** When the order was placed: the single clock reading of the decision. */
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
  /** The custody wallet that pays the tokens; null if the source is BRL. */
  sourceWalletAddress: string | null;
  /** The receiver of the tokens; null if the target is BRL. */
  target: TokenTarget | null;
  /** Null unless BRL is paid to a Pix key. */
  pixDelivery: PixDelivery | null;
  funding: Funding;
}> {}

/**
 * A hold or charge was created for an acceptance of the quote that placed no order. Appended before it is released: no
 * order can use it any more, so a slow acceptance has to create another. Other acceptances may follow.
 */
export class AcceptanceAbandoned extends event('AcceptanceAbandoned')<{
  orderId: string;
  accountId: string;
  /** Id of the hold or txid of the charge. */
  fundingId: string;
}> {}

/** The money of the order is certain: held in the ledger or paid by Pix. */
export class OrderProcessingStarted extends event('OrderProcessingStarted')<{
  orderId: string;
  accountId: string;
  startedAt: Timestamp;
  /**
   * The hold that will be posted: the one of the acceptance, or the one placed with the deposit that paid the charge.
   */
  holdId: string;
  /** The deposit that paid the charge; null if the order is paid from the balance. */
  depositId: string | null;
}> {}

/**
 * The external wallet that receives the tokens was screened before anything was signed; never recorded for a wallet in
 * our custody. After this, screening is repeated only before signing.
 */
export class OrderTargetScreened extends event('OrderTargetScreened')<{
  orderId: string;
  accountId: string;
  outcome: 'clear' | 'refused';
  screenedAt: Timestamp;
}> {}

/** The exchange is done on the chain and in the books. The BRL is held until it is paid to the Pix key. */
export class OrderSettled extends event('OrderSettled')<{
  orderId: string;
  accountId: string;
  settledAt: Timestamp;
  txHash: string;
  txTimestamp: Timestamp;
  /** The withdrawal that pays the BRL out; `deliveryHoldId` is the hold that it owns. */
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
  /** Null for an order without a Pix key. */
  delivery: Delivery | null;
  /** The deposit that paid the charge; absent if the order was paid from the balance. */
  depositId?: string;
  /** The withdrawal that paid the BRL out, or failed to; absent from an order without a Pix key. */
  withdrawalId?: string;
}> {}

/** The order ended without an exchange. Any money that was held or paid for it is released or returned. */
export class OrderRolledBack extends event('OrderRolledBack')<{
  orderId: string;
  accountId: string;
  rolledBackAt: Timestamp;
  previousState: 'created' | 'processing';
  failure: Failure;
  /** The deposit that is returned: it paid the charge, or was refused as its payment. Absent without a payment. */
  depositId?: string;
}> {}

export const ORDER_EVENTS = [
  OrderPlaced,
  AcceptanceAbandoned,
  OrderProcessingStarted,
  OrderTargetScreened,
  OrderSettled,
  OrderCompleted,
  OrderRolledBack,
] as const;
export type OrderEvent = InstanceType<(typeof ORDER_EVENTS)[number]>;

/**
 * Stream `externalId-<id>`: an account uses an external id for one order, and a caller an idempotency key. The id
 * derives from the account and the external id, or from the key and its scope. Each acceptance of the quote has its own
 * claim, identified by its hold or charge, so that a failed acceptance releases only its own claim.
 */
export class ExternalIdReserved extends event('ExternalIdReserved')<{
  accountId: string;
  orderId: string;
  /** The hold or charge of the acceptance. */
  fundingId: string;
  /** When the quote expires. Two minutes later a claim that led to no order is void. */
  until: Timestamp;
}> {}
/** The claim was released, because its acceptance placed no order. */
export class ExternalIdReleased extends event('ExternalIdReleased')<{
  accountId: string;
  orderId: string;
  fundingId: string;
}> {}

export type ExternalIdEvent = ExternalIdReserved | ExternalIdReleased;
