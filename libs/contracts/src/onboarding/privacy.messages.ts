import type { Sealed } from '@ponte/event-sourcing';
import { requestsOf } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
import type { ViewEntry } from './review/review-case';
import type { StaffActor, ViewPurpose } from './review/review-words';

const { command } = requestsOf('onboarding');

/** Which data of a person is stored, why and until when, and who viewed it. The report contains no personal data. */
export interface PrivacyReport {
  readonly subjectId: string;
  readonly status: 'held' | 'restricted' | 'erased';
  readonly holdings: readonly {
    readonly kind: 'account-request' | 'account' | 'evidence-file' | 'deposit' | 'withdrawal';
    readonly id: string;
    readonly role: 'holder' | 'representative' | 'account-holder' | 'payer' | 'payee';
    readonly categories: readonly string[];
    readonly purpose: string;
    readonly legalBasis: string;
    readonly since: Timestamp;
    /** Null while the relationship lasts. */
    readonly retainedUntil: Timestamp | null;
  }[];
  readonly views: readonly (ViewEntry & { readonly requestId: string | null })[];
}

export type PersonKey =
  /** Sealed by `sealRequest(ClearIdentifier)`. */
  | { readonly kind: 'identifier'; readonly identifier: Sealed }
  | { readonly kind: 'request'; readonly requestId: string; readonly person: 'holder' | 'representative' }
  /** The payer of a deposit whom the bank named without a valid tax id. Any other payer has an identifier. */
  | { readonly kind: 'deposit'; readonly depositId: string };

/** Null when no data is stored. Recorded as a view. Roles: approver or auditor. */
export const OpenPrivacyReport = command<
  { person: PersonKey; staff: StaffActor; purpose: ViewPurpose },
  PrivacyReport | null
>('open-privacy-report');
/**
 * Records that a staff member views the note of a settlement, before it is shown. `payerId` is the payer as a person.
 * Refuses as `OpenReviewCase` does.
 */
export const RecordNoteView = command<
  { payerId: string; staff: StaffActor; purpose: ViewPurpose },
  Record<string, never>
>('record-note-view', 'payerId');
/**
 * Records that a staff member views the source and the target of a USD deposit, before they are shown. They are data of
 * the holder of the account. Roles: operator or approver, who decide on the deposit. Refuses `account-not-found`, and
 * as `OpenReviewCase` does.
 */
export const RecordUsdDepositView = command<
  { accountId: string; staff: StaffActor; purpose: ViewPurpose },
  Record<string, never>
>('record-usd-deposit-view', 'accountId');
/** `erased`: the key is destroyed, permanently. `restricted`: the law requires the records for now. */
export type ErasureOutcome = 'erased' | 'restricted';

/**
 * Shreds the key when retention has ended, and otherwise restricts access. Role: approver. Null when no data is stored.
 * `expected` is the outcome that the staff member was shown: refuses `erasure-not-confirmed` if it would be the other
 * one by now, because the person may have come into use again, or the retention may have ended.
 */
export const ErasePerson = command<
  { person: PersonKey; staff: StaffActor; expected: ErasureOutcome },
  { subjectId: string; outcome: ErasureOutcome; retainedUntil: Timestamp | null } | null
>('erase-person');
