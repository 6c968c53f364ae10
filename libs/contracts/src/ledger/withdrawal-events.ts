import { event } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { DecimalText, Failure, Timestamp } from '../shared';
import { REFUSED_PAYOUT_EVENTS } from './payouts/refused-payout-events';

export const WITHDRAWAL_METHODS = ['pix', 'ted', 'token'] as const;

export type WithdrawalMethod = (typeof WITHDRAWAL_METHODS)[number];

/** The bank account that a withdrawal pays. Personal fields are sealed under the payee's own subject. */
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
 * The destination of a withdrawal. For a Pix, `payee` is the owner of the key as the directory reported it when the
 * withdrawal was created.
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
  /** Account of the API key that made the request. */
  createdBy: string;
  createdByApiKey: string;
  /** Hash of the idempotency key and its scope; null without a key. The key of a withdrawal never expires. */
  keyHash: string | null;
  /** Hash of the request body that was sent with the key; null without a key. */
  bodyHash: string | null;
  externalId: string | null;
  /** The order whose BRL is paid out; absent if the account requested the withdrawal. */
  orderId?: string;
  asset: AssetId;
  amount: DecimalText;
  holdId: string;
  target: WithdrawalTarget;
  /** When a TED that was created outside banking hours is sent; null if nothing has to be waited for. */
  scheduledFor: Timestamp | null;
  createdAt: Timestamp;
}> {}

/**
 * Funds were held for a withdrawal that was never created. Appended before they are released: no withdrawal can use
 * this hold any more, so a slow request has to place another.
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

/** A verdict on the hits: the address is not the listed one (`false-positive`), or it is (`true-match`). */
export type AddressVerdict = 'false-positive' | 'true-match';

/** The destination of a token withdrawal is on sanctions lists. It is not sent unless two staff members clear it. */
export class WithdrawalHeldForReview extends event('WithdrawalHeldForReview')<{
  withdrawalId: string;
  accountId: string;
  hits: readonly AddressHit[];
  heldAt: Timestamp;
}> {}

/** A staff member's verdict on all hits so far. */
export class WithdrawalReviewed extends event('WithdrawalReviewed')<{
  withdrawalId: string;
  accountId: string;
  verdict: AddressVerdict;
  /** What the verdict rests on, in the words of the staff member. Sealed under the holder of the account. */
  reason: Sealed;
  staffId: string;
  reviewedAt: Timestamp;
}> {}

/**
 * A TED missed its banking hours, for instance because the bank was unreachable. It waits for the next banking hours.
 */
export class WithdrawalPostponed extends event('WithdrawalPostponed')<{
  withdrawalId: string;
  accountId: string;
  scheduledFor: Timestamp;
}> {}

/**
 * From now on the bank may have the payment, under the withdrawal's id. A token withdrawal is signed in response to
 * this event.
 */
export class WithdrawalProcessingStarted extends event('WithdrawalProcessingStarted')<{
  withdrawalId: string;
  accountId: string;
  method: WithdrawalMethod;
  asset: AssetId;
  amount: DecimalText;
  holdId: string;
  /** Set for a token withdrawal; null otherwise. */
  destinationWalletAddress: string | null;
  /** As in `WithdrawalCreated`. */
  orderId?: string;
  startedAt: Timestamp;
}> {}

/** A token withdrawal was sent to its chain. Recorded again when a replacement of the transaction has another hash. */
export class WithdrawalBroadcast extends event('WithdrawalBroadcast')<{
  withdrawalId: string;
  accountId: string;
  txHash: string;
  broadcastAt: Timestamp;
}> {}

/** The withdrawal was paid and debited from the account. */
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
  /** Id of the payment in the Pix or TED system; null for tokens. */
  endToEndId: string | null;
  /** Set for a token withdrawal; null otherwise. */
  txHash: string | null;
  processedAt: Timestamp;
}> {}

/**
 * The withdrawal was not paid. The held funds go back to the account. If the bank makes the payment anyway, the
 * withdrawal stays rolled back: see `RefusedPayoutPosted`.
 */
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
  ...REFUSED_PAYOUT_EVENTS,
] as const;
export type WithdrawalEvent = InstanceType<(typeof WITHDRAWAL_EVENTS)[number]>;
