import { event } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { DecimalText, Failure, Timestamp } from '../shared';

export const WITHDRAWAL_METHODS = ['pix', 'ted', 'token'] as const;

export type WithdrawalMethod = (typeof WITHDRAWAL_METHODS)[number];

/** The bank account that a withdrawal pays into. What is personal is sealed under the payee's own subject. */
export interface SealedPayee {
  readonly legalName: Sealed;
  readonly taxId: Sealed;
  readonly taxIdFingerprint: string;
  /** ISPB (8 characters) or COMPE (3 digits). */
  readonly bankCode: string;
  readonly branchCode: Sealed;
  readonly accountNumber: Sealed;
}

/** A Pix key and its owner, sealed under the owner's subject. */
export interface PixPayee {
  readonly pixKey: Sealed;
  readonly payee: SealedPayee;
}

/**
 * Where a withdrawal goes. Of a Pix, `payee` is the key's owner as the directory named it when the withdrawal was
 * created.
 */
export type WithdrawalTarget =
  | ({ readonly method: 'pix' } & PixPayee)
  | { readonly method: 'ted'; readonly payee: SealedPayee }
  | { readonly method: 'token'; readonly destinationWalletAddress: string };

/** Stream `withdrawal-<withdrawalId>`. The funds are held under `holdId` before this event is appended. */
export class WithdrawalCreated extends event('WithdrawalCreated')<{
  withdrawalId: string;
  accountId: string;
  parentId: string | null;
  /** Account of the API key that asked. */
  createdBy: string;
  createdByApiKey: string;
  /** Hash of the idempotency key in its scope, null without a key. The key of a withdrawal never expires. */
  keyHash: string | null;
  /** Hash of the body that came with the key. */
  bodyHash: string | null;
  externalId: string | null;
  /** The order whose BRL is paid out; absent of a withdrawal that the account asked for. */
  orderId?: string;
  asset: AssetId;
  amount: DecimalText;
  holdId: string;
  target: WithdrawalTarget;
  /** When a TED that was created outside banking hours is sent; null when nothing is waited for. */
  scheduledFor: Timestamp | null;
  createdAt: Timestamp;
}> {}

/**
 * Funds were held for a withdrawal that was never created. Appended before they are released: from here on no
 * withdrawal can name this hold, so a slow request takes another.
 */
export class WithdrawalAbandoned extends event('WithdrawalAbandoned')<{
  withdrawalId: string;
  accountId: string;
  holdId: string;
}> {}

/** An entry of a sanctions list that names an address. */
export interface AddressHit {
  readonly list: string;
  readonly entryId: string;
  /** Sanctions programs of the entry, as the list writes them. */
  readonly programs: readonly string[];
}

/** What staff decide about the hits of a withdrawal: the address is not the one that is meant, or it is. */
export type AddressVerdict = 'false-positive' | 'true-match';

/**
 * Sanctions lists name the address of a token withdrawal. It is not sent until two members of staff have decided that
 * it may be.
 */
export class WithdrawalHeldForReview extends event('WithdrawalHeldForReview')<{
  withdrawalId: string;
  accountId: string;
  hits: readonly AddressHit[];
  heldAt: Timestamp;
}> {}

/** The verdict of one member of staff on all hits so far. */
export class WithdrawalReviewed extends event('WithdrawalReviewed')<{
  withdrawalId: string;
  accountId: string;
  verdict: AddressVerdict;
  reason: string;
  staffId: string;
  reviewedAt: Timestamp;
}> {}

/** A TED missed its banking hours, for instance because the bank was out of reach; it waits for the next ones. */
export class WithdrawalPostponed extends event('WithdrawalPostponed')<{
  withdrawalId: string;
  accountId: string;
  scheduledFor: Timestamp;
}> {}

/**
 * From here on the bank may have the payment, under the withdrawal's own id; a token withdrawal is signed because of
 * this event.
 */
export class WithdrawalProcessingStarted extends event('WithdrawalProcessingStarted')<{
  withdrawalId: string;
  accountId: string;
  method: WithdrawalMethod;
  asset: AssetId;
  amount: DecimalText;
  holdId: string;
  /** Of a token withdrawal. */
  destinationWalletAddress: string | null;
  /** As in `WithdrawalCreated`. */
  orderId?: string;
  startedAt: Timestamp;
}> {}

/**
 * A token withdrawal was sent to its chain. A replaced transaction has another hash, so this may come more than once.
 */
export class WithdrawalBroadcast extends event('WithdrawalBroadcast')<{
  withdrawalId: string;
  accountId: string;
  txHash: string;
  broadcastAt: Timestamp;
}> {}

/** Paid, and debited from the account. */
export class WithdrawalCompleted extends event('WithdrawalCompleted')<{
  withdrawalId: string;
  accountId: string;
  createdBy: string;
  createdByApiKey: string;
  asset: AssetId;
  amount: DecimalText;
  target: WithdrawalTarget;
  /** As in `WithdrawalCreated`. */
  orderId?: string;
  /** The payment's id in the Pix or TED system, null for tokens. */
  endToEndId: string | null;
  /** Of a token withdrawal. */
  txHash: string | null;
  processedAt: Timestamp;
}> {}

/** Certainly not paid, and never will be: the held funds go back to the account. */
export class WithdrawalRolledBack extends event('WithdrawalRolledBack')<{
  withdrawalId: string;
  accountId: string;
  createdBy: string;
  createdByApiKey: string;
  asset: AssetId;
  amount: DecimalText;
  method: WithdrawalMethod;
  holdId: string;
  previousState: 'created' | 'processing';
  failure: Failure;
  rolledBackAt: Timestamp;
  /** As in `WithdrawalCreated`. */
  orderId?: string;
}> {}

export const WITHDRAWAL_EVENTS = [
  WithdrawalCreated,
  WithdrawalAbandoned,
  WithdrawalPostponed,
  WithdrawalHeldForReview,
  WithdrawalReviewed,
  WithdrawalProcessingStarted,
  WithdrawalBroadcast,
  WithdrawalCompleted,
  WithdrawalRolledBack,
] as const;
export type WithdrawalEvent = InstanceType<(typeof WITHDRAWAL_EVENTS)[number]>;
