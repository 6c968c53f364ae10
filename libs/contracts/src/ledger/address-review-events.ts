import { event } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import type { Timestamp } from '../shared';
import type { AddressHit, AddressVerdict } from './withdrawal-events';

/** What an address of a review belongs to. `wallet`: one that staff want to put on the whitelist of an account. */
export const ADDRESS_SUBJECTS = ['withdrawal', 'transfer', 'nft-transfer', 'order', 'deposit', 'wallet'] as const;
export type AddressSubjectKind = (typeof ADDRESS_SUBJECTS)[number];

export interface AddressSubject {
  readonly kind: AddressSubjectKind;
  /** Id of the withdrawal, transfer, order or deposit; of a wallet see {@link screenedWalletId}. */
  readonly id: string;
}

/** What comes from or goes to this address is held for review in the sandbox. */
export const SANCTIONED_SANDBOX_ADDRESS = `0x${'5a'.repeat(20)}` as const;

/**
 * One review per subject, for ever. That of a withdrawal is opened once it has started; the one before is in the
 * withdrawal's own stream and has its id.
 */
export const addressReviewId = ({ kind, id }: AddressSubject): string => derivedId('address-review', kind, id);

/** The id of an external wallet of an account, as the subject of a review. */
export const screenedWalletId = (accountId: string, address: string): string =>
  derivedId('screened-wallet', accountId, address.toLowerCase());

/** `waits`: staff have to decide first. `refused`: for good. */
export type ScreeningOutcome = 'clear' | 'waits' | 'refused';

/** Stream `addressReview-<reviewId>`. Sanctions lists name the address; a later entry opens the review again. */
export class AddressReviewOpened extends event('AddressReviewOpened')<{
  reviewId: string;
  subject: AddressSubject;
  accountId: string;
  /** In lower case. */
  address: string;
  /** Where the movement is; null of a wallet, which has its address on every chain. Absent of earlier reviews. */
  chain?: Chain | null;
  hits: readonly AddressHit[];
  openedAt: Timestamp;
}> {}

/** The verdict of one member of staff on all hits of the review, and what the subject may do from here on. */
export class AddressReviewed extends event('AddressReviewed')<{
  reviewId: string;
  subject: AddressSubject;
  accountId: string;
  verdict: AddressVerdict;
  reason: string;
  staffId: string;
  outcome: ScreeningOutcome;
  reviewedAt: Timestamp;
}> {}

export type AddressReviewEvent = AddressReviewOpened | AddressReviewed;
