import type { StateMachine } from '@ponte/event-sourcing';

export type AccountStatus = 'active' | 'frozen' | 'closed';
/** The status of an account as shown to its partner. During an account request it is derived from the request. */
export type ListedAccountStatus = 'pending' | 'rejected' | 'provisioning-failed' | AccountStatus;
export const LISTED_ACCOUNT_STATUSES: readonly ListedAccountStatus[] = [
  'pending',
  'rejected',
  'provisioning-failed',
  'active',
  'frozen',
  'closed',
];
export type QuoteState = 'open' | 'accepted' | 'expired';
export type OrderState = 'created' | 'processing' | 'completed' | 'rolled-back';
export type DepositStatus = 'created' | 'confirmed' | 'credited' | 'voided';
/** `rolled-back`: definitely not paid; the held funds are available again. */
export type WithdrawalState = 'created' | 'processing' | 'completed' | 'rolled-back';
export type TransferState = 'created' | 'pending' | 'completed' | 'failed';
/** `issued`: not minted yet. */
export type CertificateState = 'issued' | 'active' | 'transferring' | 'transferred' | 'failed';
export type AccountRequestStatus =
  'pending' | 'approved' | 'provisioning-failed' | 'active' | 'rejected' | 'expired' | 'cancelled';
/** The stage of a pending account request. */
export type ReviewStage = 'received' | 'screening' | 'manual-review' | 'information-requested';
export type WebhookDeliveryState = 'pending' | 'delivering' | 'succeeded' | 'failed';

/** Only a frozen account can be closed: nothing new can begin while it is checked that it is empty. */
export const accountMachine: StateMachine<AccountStatus> = {
  active: ['frozen'],
  frozen: ['active', 'closed'],
  closed: [],
};

/** A request that is rejected, expired or cancelled frees the person's identifier. */
export const accountRequestMachine: StateMachine<AccountRequestStatus> = {
  pending: ['approved', 'rejected', 'expired', 'cancelled'],
  approved: ['active', 'provisioning-failed'],
  'provisioning-failed': ['approved'],
  active: [],
  rejected: [],
  expired: [],
  cancelled: [],
};

/** The stages of a pending account request. After information was provided, it is screened again. */
export const reviewStageMachine: StateMachine<ReviewStage> = {
  received: ['screening'],
  screening: ['manual-review', 'information-requested'],
  'manual-review': ['information-requested'],
  'information-requested': ['screening'],
};

/** `expired` is computed from the time; no event records it. */
export const quoteMachine: StateMachine<QuoteState> = { open: ['accepted', 'expired'], accepted: [], expired: [] };

export const orderMachine: StateMachine<OrderState> = {
  created: ['processing', 'rolled-back'],
  processing: ['completed', 'rolled-back'],
  completed: [],
  'rolled-back': [],
};

export const depositMachine: StateMachine<DepositStatus> = {
  created: ['confirmed', 'voided'],
  confirmed: ['credited', 'voided'],
  // Only when the bank takes the money back.
  credited: ['voided'],
  voided: [],
};

export const withdrawalMachine: StateMachine<WithdrawalState> = {
  created: ['processing', 'rolled-back'],
  processing: ['completed', 'rolled-back'],
  completed: [],
  'rolled-back': [],
};

/** Also used for a mint, which is a transfer of new tokens. `pending` once the signed transaction is stored. */
export const transferMachine: StateMachine<TransferState> = {
  created: ['pending', 'failed'],
  pending: ['completed', 'failed'],
  completed: [],
  failed: [],
};

/**
 * A reward certificate becomes `active` again when its transfer failed or a Ponte wallet received it, and
 * `transferred` when it left our custody.
 */
export const certificateMachine: StateMachine<CertificateState> = {
  issued: ['active', 'failed'],
  active: ['transferring'],
  transferring: ['active', 'transferred'],
  transferred: [],
  failed: [],
};

export const webhookDeliveryMachine: StateMachine<WebhookDeliveryState> = {
  pending: ['delivering'],
  delivering: ['succeeded', 'pending', 'failed'],
  succeeded: [],
  failed: ['pending'],
};

/** Served by `GET /api/v1/state-machines` and printed in the documentation. */
export const STATE_MACHINES = {
  account: accountMachine,
  'account-request': accountRequestMachine,
  'account-request-review-stage': reviewStageMachine,
  quote: quoteMachine,
  order: orderMachine,
  deposit: depositMachine,
  withdrawal: withdrawalMachine,
  transfer: transferMachine,
  'nft-transfer': transferMachine,
  'reward-certificate': certificateMachine,
  'webhook-delivery': webhookDeliveryMachine,
} as const;
