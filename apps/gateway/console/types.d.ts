/*
 * The responses of the staff API, as in docs/staff-api.md. Only for the editor and the type check; browsers do not load
 * this file.
 */

export * from './accounts/types';
export * from './pricing/types';
export * from './privacy/types';

export interface Problem {
  code: string;
  message: string;
  details?: { path: string; code: string; message: string }[];
}

export interface Session {
  'staff-id': string;
  name: string;
  roles: string[];
  way: 'local' | 'oidc';
  'csrf-token': string;
  'signed-in-at': string;
  'idle-expires-at': string;
  'expires-at': string;
}
export interface Ways {
  local: boolean;
  oidc: { name: string; href: string } | null;
}
export interface Named {
  id: string;
  name: string | null;
}
export interface StaffMember {
  id: string;
  name: string;
  roles: string[];
  way: string;
  'last-signed-in-at': string;
}

export interface QueueItem {
  id: string;
  'account-id': string;
  partner: { id: string; alias: string };
  mode: 'kyc' | 'reliance';
  status: string;
  'review-stage': string | null;
  'reward-tier': number;
  country: string;
  causes: string[];
  'four-eyes': boolean;
  approvals: number;
  escalated: boolean;
  assignee: Named | null;
  'external-id': string | null;
  'created-at': string;
  'status-updated-at': string;
  'stage-since': string;
  'age-seconds': number;
  'stage-age-seconds': number;
  'information-due-at': string | null;
}
/** A request with the version of its case, which counts the changes of what a reviewer reads. */
export interface CaseItem extends QueueItem {
  version: number;
}
export interface QueuePage {
  'account-requests': QueueItem[];
  counts: Record<string, number>;
  'as-of': string;
}

/** The state of a case, without personal data. */
export interface Standing {
  history: HistoryEntry[];
  'account-request': CaseItem;
  checklist: Case['checklist'];
  approvals: Named[];
}

export interface HistoryEntry {
  type: string;
  at: string;
  actor: string | null;
  'actor-name': string | null;
  facts: Record<string, unknown>;
}

export interface Address {
  'postal-code': string;
  line1: string;
  line2: string;
  city: string;
  state: string | null;
  country: string;
}
export interface Person {
  erased: boolean;
  identifier: { value: string; country: string };
  'tax-residence': string;
  'first-name'?: string;
  'last-name'?: string;
  'date-of-birth'?: string;
  'mother-full-name'?: string;
  email?: string;
  phone?: string;
  address?: Address | null;
  document?: { type: string; 'front-file-id': string; 'back-file-id': string | null } | null;
  pep?: { declared: boolean; 'full-name': string | null; role: string | null; relationship: string | null } | null;
  'financial-profile'?: {
    sector: string;
    currency: string;
    'monthly-income': number;
    'net-worth': number | null;
    'source-of-funds': string[] | null;
  } | null;
  'power-of-attorney-file-id'?: string;
}
export interface CaseFile {
  id: string;
  label: string;
  purpose: string;
  'content-type': string;
  'size-bytes': number;
  'created-at': string;
}
export interface Verdict {
  verdict: 'false-positive' | 'true-match';
  reason: string;
  note: string | null;
  staff: Named;
  at: string;
}
export interface Hit {
  list: string;
  'entry-id': string;
  score: number;
  'entry-version': string | null;
  match: string;
  verdict: Verdict | null;
}
export interface Screening {
  person: 'holder' | 'representative';
  round: number;
  'recorded-at': string;
  hits: Hit[];
}
export interface ViewEntry {
  staff: Named;
  roles: string[];
  purpose: string;
  what: string;
  'viewed-at': string;
}

export interface Case {
  item: CaseItem;
  request: {
    reason?: string;
    failure?: { code: string; message: string };
    requirements: { complete: string[]; pending: string[]; missing: string[]; issues: string[] };
  };
  holder: Person;
  representative: Person | null;
  reliance: { 'tax-document-type': string; 'kyc-attestation-id': string } | null;
  'external-wallets': {
    address: string;
    'custody-type': string;
    'custody-country': string | null;
    'custodian-name': string | null;
    'signed-message': string | null;
  }[];
  files: CaseFile[];
  screening: Screening[];
  liveness: {
    provider: string;
    'session-id': string;
    outcome: string;
    'decided-at': string | null;
    'shared-with': string[];
  } | null;
  duplicates: { kind: string; requests: { id: string; status: string; partner: string; 'same-person': boolean }[] }[];
  checklist: { check: string; title: string; outcome: string }[];
  approvals: Named[];
  'internal-reason': string | null;
  notes: { note: string; at: string }[];
  'staff-notes': { type: string; staff: Named; note: string; at: string }[];
  history: HistoryEntry[];
  views: (ViewEntry & { note: string | null })[];
  restricted: boolean;
}
