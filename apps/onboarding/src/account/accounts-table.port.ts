import type { StandingStep, ListedAccountStatus, OnboardingMode, Timestamp } from '@ponte/contracts';

/** An account as the lists need it. The fields are the columns of the table. */
export interface AccountRow {
  readonly id: string;
  /** The revision of the account's stream that the row shows. */
  readonly revision: number;
  readonly created_at: Timestamp;
  readonly parent_id: string | null;
  readonly alias: string;
  readonly status: ListedAccountStatus;
  readonly external_id: string | null;
  readonly onboarding_mode: OnboardingMode | null;
  readonly capabilities: readonly string[];
  readonly tax_id_fingerprint: string;
  readonly pending_step: StandingStep | null;
  /** `yes` while the account is frozen or a step is pending, else null, so that one equality finds these accounts. */
  readonly watched: 'yes' | null;
  /**
   * The request that the account comes from; until it is active, its status is shown as the account's. Null if an
   * operator opened the account.
   */
  readonly request_id: string | null;
  /** False while only the request exists. */
  readonly opened: boolean;
}
