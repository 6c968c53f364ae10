import type { Named } from '../types';

export interface AccountLine {
  id: string;
  'parent-id': string | null;
  alias: string;
  status: string;
  'pending-step': 'freeze' | 'release' | 'close' | null;
  'pending-since': string | null;
}
export interface AccountStanding extends AccountLine {
  pending: {
    request: number;
    step: 'freeze' | 'release' | 'close';
    reason: string;
    evidence?: string | null;
    'requested-by': Named;
    'requested-at': string;
    /** The balances that a closing writes off. */
    'write-off'?: { asset: string; amount: string }[];
  } | null;
  freezes: {
    reason: string;
    evidence?: string | null;
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
  /** Absent unless the view was recorded. */
  reason?: string;
  'decided-by': Named;
  'decided-at': string;
}

/** A person of an account whom ongoing screening found on a list. */
export interface ScreeningFinding {
  readonly id: string;
  readonly 'account-id': string;
  readonly person: 'holder' | 'representative';
  readonly status: 'open' | 'matched' | 'cleared' | 'settled';
  readonly version: number;
  readonly list: string;
  readonly 'entry-id': string;
  readonly score: number;
  readonly 'opened-at': string;
  readonly 'freeze-requested-at': string | null;
  readonly verdicts: readonly {
    readonly verdict: string;
    readonly reason: string;
    readonly staff: Named;
    readonly at: string;
  }[];
}

/** A movement that is held because a sanctions list contains its address. */
export interface AddressReview {
  readonly id: string;
  /** Identifies the hits and the verdicts so far. */
  readonly version: string;
  readonly subject: string;
  readonly 'subject-id': string;
  readonly 'account-id': string;
  readonly address: string;
  /** Null if the address is used on every chain. */
  readonly chain: string | null;
  /** Both null for an NFT transfer or a wallet, or if unknown. */
  readonly asset: string | null;
  readonly amount: string | null;
  readonly outcome: 'waits' | 'clear' | 'refused';
  readonly 'held-at': string;
  readonly hits: readonly {
    readonly list: string;
    readonly 'entry-id': string;
    readonly programs: readonly string[];
  }[];
  readonly verdicts: readonly {
    readonly verdict: string;
    /** Absent unless the view was recorded. */
    readonly reason?: string;
    readonly 'staff-id': string;
    readonly 'reviewed-at': string;
  }[];
}

/** An external wallet that an account may use. */
export interface WhitelistedWallet {
  readonly address: string;
  readonly fx: boolean;
}
