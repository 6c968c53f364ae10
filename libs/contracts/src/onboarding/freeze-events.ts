import { event } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
import type { FreezeReason, ReleaseReason } from './reasons';

/** Freezing takes an active account out of use, releasing gives it back. Each takes two members of staff. */
export type FreezeStep = 'freeze' | 'release';

/** The justification of a step, sealed under the account's holder; null when the holder was erased. */
interface Evidence {
  readonly evidence: Sealed | null;
}

/**
 * Stream `account-<accountId>`. One member of staff asks for a freeze; the account stays active until another confirms
 * it.
 */
export class AccountFreezeRequested extends event('AccountFreezeRequested')<
  Evidence & {
    accountId: string;
    reason: FreezeReason;
    requestedBy: string;
    requestedAt: Timestamp;
  }
> {}

/**
 * The account can only be read. By two members of staff, or by the system at once, and then both are null. An account
 * that is frozen already may be frozen for another reason too, which ends a release that was under way.
 */
export class AccountFrozen extends event('AccountFrozen')<
  Evidence & {
    accountId: string;
    reason: FreezeReason;
    requestedBy: string | null;
    confirmedBy: string | null;
    frozenAt: Timestamp;
  }
> {}

/** One member of staff asks for the release; the account stays frozen until another confirms it. */
export class AccountReleaseRequested extends event('AccountReleaseRequested')<
  Evidence & {
    accountId: string;
    reason: ReleaseReason;
    requestedBy: string;
    requestedAt: Timestamp;
  }
> {}

/** The account is active again. */
export class AccountReleased extends event('AccountReleased')<
  Evidence & {
    accountId: string;
    reason: ReleaseReason;
    requestedBy: string;
    confirmedBy: string;
    releasedAt: Timestamp;
  }
> {}

/** What was asked for is off: taken back by who asked (`withdrawn`), or refused by another member. */
export class AccountFreezeRequestClosed extends event('AccountFreezeRequestClosed')<{
  accountId: string;
  step: FreezeStep;
  outcome: 'withdrawn' | 'refused';
  closedBy: string;
  closedAt: Timestamp;
}> {}

export const ACCOUNT_FREEZE_EVENTS = [
  AccountFreezeRequested,
  AccountFrozen,
  AccountReleaseRequested,
  AccountReleased,
  AccountFreezeRequestClosed,
] as const;
export type AccountFreezeEvent = InstanceType<(typeof ACCOUNT_FREEZE_EVENTS)[number]>;
