import { event } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { AmountOf, DecimalText, Failure, Timestamp } from '../shared';
import type { Posting } from './postings';

/**
 * Stream `deposit-<depositId>`. A staff member says where tokens in suspense go. Another staff member has to confirm
 * it.
 */
export class SuspenseSendingProposed extends event('SuspenseSendingProposed')<{
  depositId: string;
  /** Counts the proposals for this deposit, from 1. */
  proposal: number;
  /** Lower-case address on the chain of the tokens. */
  destination: string;
  /** Names the document that says why the tokens go there. No personal data. */
  reference: string;
  staffId: string;
  proposedAt: Timestamp;
}> {}

/** The proposal was wrong. The tokens stay in suspense. */
export class SuspenseSendingRejected extends event('SuspenseSendingRejected')<{
  depositId: string;
  proposal: number;
  staffId: string;
  rejectedAt: Timestamp;
}> {}

/** The proposal was confirmed. The movements service sends the tokens from the wallets of the account. */
export class SuspenseSendingStarted extends event('SuspenseSendingStarted')<{
  depositId: string;
  proposal: number;
  /** Derives from the deposit and the proposal, so each proposal moves the tokens at most once. */
  movementId: string;
  accountId: string;
  asset: AssetId;
  amount: DecimalText;
  destination: string;
  confirmedBy: string;
  startedAt: Timestamp;
}> {}

/** It is final that nothing moved. The tokens stay in suspense, and another address can be proposed. */
export class SuspenseSendingFailed extends event('SuspenseSendingFailed')<{
  depositId: string;
  proposal: number;
  failure: Failure;
  failedAt: Timestamp;
}> {}

/** The tokens left the wallets of the account, and suspense. */
export class SuspenseSent extends event('SuspenseSent')<{
  depositId: string;
  proposal: number;
  amount: AmountOf;
  postings: readonly Posting[];
  txHash: string;
  /** The account whose Ponte wallet received the tokens; null outside our custody. */
  receiverAccountId: string | null;
  sentAt: Timestamp;
}> {}

export const SUSPENSE_SENDING_EVENTS = [
  SuspenseSendingProposed,
  SuspenseSendingRejected,
  SuspenseSendingStarted,
  SuspenseSendingFailed,
  SuspenseSent,
] as const;
export type SuspenseSendingEvent = InstanceType<(typeof SUSPENSE_SENDING_EVENTS)[number]>;

/** Where staff send tokens in suspense. */
export interface SuspenseSending {
  /** Counts the proposals for the deposit, from 1. */
  readonly proposal: number;
  /** Lower-case address on the chain of the tokens. */
  readonly destination: string;
  readonly reference: string;
  readonly proposedBy: string;
  readonly proposedAt: Timestamp;
  /** Null until another staff member has confirmed it. */
  readonly confirmedBy: string | null;
  /** Null until the tokens have left. */
  readonly txHash: string | null;
}
