import type { FreezeStep, ListedAccountStatus, OnboardingMode, Timestamp } from '@ponte/contracts';

/** One account as the lists need it. Members are the columns of the table. */
export interface AccountRow {
  readonly id: string;
  /** Revision of the account's stream that the row shows. */
  readonly revision: number;
  readonly created_at: Timestamp;
  readonly parent_id: string | null;
  readonly alias: string;
  readonly status: ListedAccountStatus;
  readonly external_id: string | null;
  readonly onboarding_mode: OnboardingMode | null;
  readonly capabilities: readonly string[];
  readonly tax_id_fingerprint: string;
  readonly pending_step: FreezeStep | null;
  /** `yes` while it is frozen or a step waits; null otherwise, so that one equality finds them. */
  readonly watched: 'yes' | null;
  /**
   * The request that the account comes from, whose status is the account's until it is active; null of one that an
   * operator opened.
   */
  readonly request_id: string | null;
  /** False while there is only the request. */
  readonly opened: boolean;
}
