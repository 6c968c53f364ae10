/*
 * What the staff API answers, as docs/staff-api.md says. For the editor and the type check; the browser never reads
 * this file.
 */

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
export interface QueuePage {
  'account-requests': QueueItem[];
  counts: Record<string, number>;
  'as-of': string;
}

/** How a case stands, without anything personal. */
export interface Standing {
  history: HistoryEntry[];
  'account-request': QueueItem;
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
  item: QueueItem;
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
    proven: boolean;
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

export interface AccountLine {
  id: string;
  'parent-id': string | null;
  alias: string;
  status: string;
  'pending-step': string | null;
}
export interface AccountStanding extends AccountLine {
  pending: {
    step: 'freeze' | 'release';
    reason: string;
    evidence: string | null;
    'requested-by': Named;
    'requested-at': string;
  } | null;
  freezes: {
    reason: string;
    evidence: string | null;
    'requested-by': Named | null;
    'confirmed-by': Named | null;
    'frozen-at': string;
  }[];
  history: { type: string; reason: string | null; staff: Named[]; at: string }[];
  'address-matches'?: AddressMatch[];
  'address-match-count'?: number;
}

/** A true match with a sanctions list. */
export interface AddressMatch {
  'review-id': string;
  subject: string;
  'subject-id': string;
  address: string;
  chain: string | null;
  reason: string;
  'decided-by': Named;
  'decided-at': string;
}

export interface PrivacyReport {
  'subject-id': string;
  status: 'held' | 'restricted' | 'erased';
  holdings: {
    kind: string;
    id: string;
    role: string;
    categories: string[];
    purpose: string;
    'legal-basis': string;
    since: string;
    'retained-until': string | null;
  }[];
  views: (ViewEntry & { 'account-request-id': string | null })[];
}
export interface ErasurePreparation {
  token: string;
  'confirm-with': string;
  'expires-at': string;
  'subject-id': string;
  status: string;
  outcome: 'erased' | 'restricted';
  'retained-until': string | null;
}

export interface RulesVersion {
  version: string;
  id: string | null;
  'valid-from': string | null;
  'valid-to': string | null;
}
export interface RulesAdoption extends RulesVersion {
  'adopted-at': string;
}
export type RuleRow = Record<string, unknown> & { 'valid-from'?: string | null; 'valid-to'?: string | null };
export interface AdoptedRules extends RulesAdoption {
  tables: Record<string, RuleRow[]>;
}
export interface RulesCheck extends RulesVersion {
  violations: { path: string; message: string }[];
}
export interface RepricedTerms {
  'source-amount': string;
  'target-amount': string;
  spread: string;
  fee: string;
  iof: string;
}
export interface RepricedQuote {
  'quote-id': string;
  'created-at': string;
  'source-asset': string;
  'target-asset': string;
  old: RepricedTerms;
  proposed: RepricedTerms | null;
  refusal: string | null;
  'refusal-message': string | null;
  changed: boolean;
  difference: string | null;
  'difference-bps': number | null;
}
export interface ChargeTotals {
  source: string;
  target: string;
  spread: string;
  fee: string;
  iof: string;
}
export interface Backtest {
  at: string;
  quotes: number;
  changed: number;
  refused: number;
  pairs: { 'source-asset': string; 'target-asset': string; old: ChargeTotals; proposed: ChargeTotals }[];
  items: RepricedQuote[];
}

/** A movement that waits because a sanctions list names its address. */
export interface AddressReview {
  readonly id: string;
  readonly subject: string;
  readonly 'subject-id': string;
  readonly 'account-id': string;
  readonly address: string;
  readonly outcome: 'waits' | 'clear' | 'refused';
  readonly 'held-at': string;
  readonly hits: readonly {
    readonly list: string;
    readonly 'entry-id': string;
    readonly programs: readonly string[];
  }[];
  readonly verdicts: readonly {
    readonly verdict: string;
    readonly reason: string;
    readonly 'staff-id': string;
    readonly 'reviewed-at': string;
  }[];
}
