import { event } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { AmountOf, Timestamp } from '../shared';
import type { ClosingReason, FreezeReason } from './reasons';
import type { RequestIdentity } from './request/request-details';

/**
 * Stream `account-<accountId>`. A staff member requested to close the account, which is frozen and empty. It stays
 * frozen until another one confirms it. `evidence` is sealed under the holder; null when the holder was erased.
 */
export class AccountClosingRequested extends event('AccountClosingRequested')<{
  accountId: string;
  reason: ClosingReason;
  evidence: Sealed | null;
  requestedBy: string;
  requestedAt: Timestamp;
  /** The balances that are left and that the closing writes off. Absent if there are none. */
  writeOff?: readonly AmountOf[];
}> {}

/**
 * A second staff member confirmed that the account is closed. This is final: the holder can be onboarded again, with a
 * new account, and the retention of the records begins.
 */
export class AccountClosed extends event('AccountClosed')<{
  accountId: string;
  reason: ClosingReason;
  evidence: Sealed | null;
  requestedBy: string;
  confirmedBy: string;
  closedAt: Timestamp;
  /** The balances that were left. The ledger writes them off. Absent if there were none. */
  writeOff?: readonly AmountOf[];
}> {}

/**
 * The bank or a chain took money or tokens of the account back after it was closed. It stays closed. Recorded once for
 * each request of a freeze, so that a repeated one is not another loss.
 */
export class ClosedAccountLossRecorded extends event('ClosedAccountLossRecorded')<{
  accountId: string;
  reason: FreezeReason;
  recordedAt: Timestamp;
}> {}

/**
 * Stream `accountRequest-<requestId>`. The account of the request was closed, which frees the identifier and the
 * wallets. The status of the request stays `active`.
 */
export class RequestedAccountClosed extends event('RequestedAccountClosed')<
  RequestIdentity & { closedAt: Timestamp }
> {}

export const ACCOUNT_CLOSING_EVENTS = [AccountClosingRequested, AccountClosed, ClosedAccountLossRecorded] as const;
export type AccountClosingEvent = InstanceType<(typeof ACCOUNT_CLOSING_EVENTS)[number]>;
