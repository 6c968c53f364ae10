import { event } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
import type { StaffRole, ViewPurpose } from './review/review-words';
import type { FindingEvent } from './screening/finding-events';

/** A record that contains personal data of the person. */
export type PersonMention =
  | { readonly kind: 'account-request'; readonly requestId: string; readonly role: 'holder' | 'representative' }
  | { readonly kind: 'account'; readonly accountId: string }
  /**
   * A deposit that the person sent to the account of another holder, or a note of staff about such a deposit.
   * `sealedUnder` is the subject of the data: one of the deposit, or the person if the data is held with the account.
   */
  | { readonly kind: 'deposit'; readonly depositId: string; readonly sealedUnder: string }
  /** A withdrawal that pays the person. `sealedUnder` as for a deposit. */
  | { readonly kind: 'withdrawal'; readonly withdrawalId: string; readonly sealedUnder: string };

/**
 * Stream `person-<subjectId>`: the records that contain data of a person, each view of the data, its erasure, and the
 * findings of ongoing screening. No event contains personal data in clear.
 */
export class PersonMentioned extends event('PersonMentioned')<{
  subjectId: string;
  mention: PersonMention;
  mentionedAt: Timestamp;
}> {}
/** What a staff member can view. */
export const VIEWED_DATA = [
  'case',
  'document',
  'privacy-report',
  'screening-finding',
  'account-standing',
  'settlement-note',
  'usd-deposit',
] as const;
export type ViewedData = (typeof VIEWED_DATA)[number];

/** A staff member viewed data of the person. */
export class PersonalDataViewed extends event('PersonalDataViewed')<{
  subjectId: string;
  /** The account request whose case was viewed; null for any other view but that of a document. */
  requestId: string | null;
  what: ViewedData;
  /** The viewed document; null for any other view. */
  fileId: string | null;
  staffId: string;
  roles: readonly StaffRole[];
  purpose: ViewPurpose;
  /** The viewer's note, sealed under the person's subject; null without a note. */
  note: Sealed | null;
  viewedAt: Timestamp;
}> {}
/**
 * An erasure was requested before the legal retention period ended, so the data is kept and access to it is restricted.
 * It can be erased from `retainedUntil` on, which is null while a record is still in use.
 */
export class PersonRestricted extends event('PersonRestricted')<{
  subjectId: string;
  requestedBy: string;
  retainedUntil: Timestamp | null;
  restrictedAt: Timestamp;
}> {}
/**
 * Appended before the person's key is shredded, which makes the sealed data unreadable. The shredding is retried until
 * it succeeds. It covers the mentions recorded so far. An erased person who pays or is paid again is mentioned again,
 * and can be erased again.
 */
export class PersonErased extends event('PersonErased')<{
  subjectId: string;
  requestedBy: string;
  erasedAt: Timestamp;
}> {}

export type PersonEvent = PersonMentioned | PersonalDataViewed | PersonRestricted | PersonErased | FindingEvent;
