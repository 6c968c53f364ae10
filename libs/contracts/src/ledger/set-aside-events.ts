import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';

/**
 * Stream `deposit-<depositId>`. A staff member asks to set aside tokens that arrived at a closed account. Another staff
 * member confirms it (`DepositVoided` and `SuspensePosted`) or rejects it.
 */
export class DepositSetAsideRequested extends event('DepositSetAsideRequested')<{
  depositId: string;
  /** Counts the requests for this deposit, from 1. */
  request: number;
  staffId: string;
  requestedAt: Timestamp;
}> {}

/** The deposit stays confirmed, and can be requested again. */
export class DepositSetAsideRejected extends event('DepositSetAsideRejected')<{
  depositId: string;
  request: number;
  staffId: string;
  rejectedAt: Timestamp;
}> {}

export const SET_ASIDE_EVENTS = [DepositSetAsideRequested, DepositSetAsideRejected] as const;
export type SetAsideEvent = InstanceType<(typeof SET_ASIDE_EVENTS)[number]>;

/** A request to set a deposit aside that waits for a second staff member. */
export interface SetAsideRequest {
  readonly request: number;
  readonly requestedBy: string;
  readonly requestedAt: Timestamp;
}

/** Who set a deposit aside. */
export interface SetAside {
  readonly request: number;
  readonly requestedBy: string;
  readonly confirmedBy: string;
}
