import { event } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
import type { FreezeReason, ReleaseReason } from './reasons';

/**
 * A frozen account can only be read; a release makes it active again, a closing ends it. Each needs two staff members,
 * unless the system freezes the account.
 */
export type StandingStep = 'freeze' | 'release' | 'close';

/** The justification of a step, sealed under the account's holder; null when the holder was erased. */
interface Evidence {
  readonly evidence: Sealed | null;
}

/**
 * Stream `account-<accountId>`. A staff member requested a freeze. The account stays active until another one confirms
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
 * The account was frozen and can only be read. `requestedBy` and `confirmedBy` are staff ids, both null if the system
 * froze it. A frozen account can be frozen again for another reason. By the system, that cancels a pending release or
 * closing, and a pending freeze stays.
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

/** A staff member requested a release. The account stays frozen until another one confirms it. */
export class AccountReleaseRequested extends event('AccountReleaseRequested')<
  Evidence & {
    accountId: string;
    reason: ReleaseReason;
    requestedBy: string;
    requestedAt: Timestamp;
  }
> {}

/** A second staff member confirmed the release: all freezes are lifted and the account is active again. */
export class AccountReleased extends event('AccountReleased')<
  Evidence & {
    accountId: string;
    reason: ReleaseReason;
    requestedBy: string;
    confirmedBy: string;
    releasedAt: Timestamp;
  }
> {}

/**
 * A request to freeze, release or close the account ended without effect: withdrawn by the staff member who made it
 * (`withdrawn`), or rejected by another one (`refused`).
 */
export class AccountFreezeRequestClosed extends event('AccountFreezeRequestClosed')<{
  accountId: string;
  step: StandingStep;
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
