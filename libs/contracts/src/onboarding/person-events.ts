import { event } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
import type { StaffRole, ViewPurpose } from './review/review-words';

/** Where a person's data is held. */
export type PersonMention =
  | { readonly kind: 'account-request'; readonly requestId: string; readonly role: 'holder' | 'representative' }
  | { readonly kind: 'account'; readonly accountId: string }
  /** A Pix that the person sent to an account that is not theirs. */
  | { readonly kind: 'deposit'; readonly depositId: string }
  /** A withdrawal that pays the person. */
  | { readonly kind: 'withdrawal'; readonly withdrawalId: string };

/**
 * Stream `person-<subjectId>`: what is held of a person, who looked, and what became of it. Nothing of it is personal.
 */
export class PersonMentioned extends event('PersonMentioned')<{
  subjectId: string;
  mention: PersonMention;
  mentionedAt: Timestamp;
}> {}
export class PersonalDataViewed extends event('PersonalDataViewed')<{
  subjectId: string;
  /** The case that was opened; null for a privacy report. */
  requestId: string | null;
  what: 'case' | 'document' | 'privacy-report';
  /** Of a document. */
  fileId: string | null;
  staffId: string;
  roles: readonly StaffRole[];
  purpose: ViewPurpose;
  /** What the viewer added, sealed under the person. */
  note: Sealed | null;
  viewedAt: Timestamp;
}> {}
/** Erasure was asked for while the law wants the records kept: until then only those who must look may. */
export class PersonRestricted extends event('PersonRestricted')<{
  subjectId: string;
  requestedBy: string;
  retainedUntil: Timestamp | null;
  restrictedAt: Timestamp;
}> {}
/** Written before the key is shredded, which is repeated until it is done. */
export class PersonErased extends event('PersonErased')<{
  subjectId: string;
  requestedBy: string;
  erasedAt: Timestamp;
}> {}

export type PersonEvent = PersonMentioned | PersonalDataViewed | PersonRestricted | PersonErased;
