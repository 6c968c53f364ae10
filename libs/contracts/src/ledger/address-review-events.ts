import { event } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import type { DecimalText, Timestamp } from '../shared';
import type { AddressHit, AddressVerdict } from './withdrawal-events';

/** The resource that a reviewed address belongs to. `wallet`: a wallet that staff want to whitelist for an account. */
export const ADDRESS_SUBJECTS = ['withdrawal', 'transfer', 'nft-transfer', 'order', 'deposit', 'wallet'] as const;
export type AddressSubjectKind = (typeof ADDRESS_SUBJECTS)[number];

export interface AddressSubject {
  readonly kind: AddressSubjectKind;
  /**
   * Id of the withdrawal, transfer, order or deposit; for a wallet, an id derived from account and address
   * ({@link screenedWalletId}).
   */
  readonly id: string;
}

/** Movements from and to this address are held for review in the sandbox. */
export const SANCTIONED_SANDBOX_ADDRESS = `0x${'5a'.repeat(20)}` as const;

/**
 * A subject has at most one review. For a withdrawal, this review is opened after it has started; an earlier review is
 * part of the withdrawal's own stream and has the withdrawal's id.
 */
export const addressReviewId = ({ kind, id }: AddressSubject): string => derivedId('address-review', kind, id);

/** The id of an external wallet of an account, as the subject of a review. */
export const screenedWalletId = (accountId: string, address: string): string =>
  derivedId('screened-wallet', accountId, address.toLowerCase());

/** `clear`: the subject may proceed. `waits`: staff have to decide first. `refused`: final. */
export type ScreeningOutcome = 'clear' | 'waits' | 'refused';

/**
 * Stream `addressReview-<reviewId>`. The address is on a sanctions list. New list entries open the review again, unless
 * it ended with a refusal.
 */
export class AddressReviewOpened extends event('AddressReviewOpened')<{
  reviewId: string;
  subject: AddressSubject;
  accountId: string;
  /** Lower-case. */
  address: string;
  /**
   * Chain of the movement; null for a wallet, which has its address on every chain. Absent in events from before it was
   * recorded.
   */
  chain?: Chain | null;
  /** What is moved; null for a wallet or a certificate. Absent in events from before it was recorded. */
  asset?: AssetId | null;
  amount?: DecimalText | null;
  hits: readonly AddressHit[];
  openedAt: Timestamp;
}> {}

/** A staff member's verdict on all hits of the review. `outcome` is what the subject may do from now on. */
export class AddressReviewed extends event('AddressReviewed')<{
  reviewId: string;
  subject: AddressSubject;
  accountId: string;
  verdict: AddressVerdict;
  /** What the verdict rests on, in the words of the staff member. Sealed under the holder of the account. */
  reason: Sealed;
  staffId: string;
  outcome: ScreeningOutcome;
  reviewedAt: Timestamp;
}> {}

export type AddressReviewEvent = AddressReviewOpened | AddressReviewed;
