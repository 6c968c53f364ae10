import type {
  AccountRequestActivated,
  AccountRequestApproved,
  AccountRequestCancelled,
  AccountRequestExpired,
  AccountRequestRejected,
  AccountRequestStatus,
  AccountStatus,
  InformationProvided,
  InformationRequested,
  ProvisioningFailed,
  ReviewRequested,
  ReviewStage,
  ScreeningStarted,
} from '@ponte/contracts';

/** The account can be used. */
export const accountApproved = (data: AccountRequestActivated['data']) => ({
  'subaccount-id': data.accountId,
  status: 'active',
  'completed-at': data.activatedAt,
});

/** The account was frozen, released or closed. Why is not disclosed. */
export const accountUpdated = (accountId: string, status: AccountStatus, at: string) => ({
  'account-id': accountId,
  status,
  'updated-at': at,
});

type Ended = AccountRequestRejected | AccountRequestExpired | AccountRequestCancelled;

/** The same payload for every request that did not become an account. `account-request-updated` says how it ended. */
export const accountRejected = (event: Ended) => ({
  'subaccount-id': event.data.accountId,
  status: 'rejected',
  reason: 'compliance',
  'rejected-at': endedAt(event),
});

function endedAt(event: Ended): string {
  switch (event.type) {
    case 'AccountRequestRejected':
      return event.data.rejectedAt;
    case 'AccountRequestExpired':
      return event.data.expiredAt;
    case 'AccountRequestCancelled':
      return event.data.cancelledAt;
  }
}

/** The request changed its stage or status. Contains what the partner has to send, if anything. */
export function accountRequestUpdated(event: Updated) {
  switch (event.type) {
    case 'ScreeningStarted':
      return updated(event.data, 'pending', 'screening', event.data.startedAt);
    case 'ReviewRequested':
      return updated(event.data, 'pending', 'manual-review', event.data.requestedAt);
    case 'InformationRequested':
      return awaiting(event.data, event.data, event.data.requestedAt);
    case 'InformationProvided':
      return awaiting(event.data, event.data.remaining, event.data.providedAt);
    case 'AccountRequestApproved':
      return updated(event.data, 'approved', null, event.data.approvedAt);
    case 'ProvisioningFailed':
      return updated(event.data, 'provisioning-failed', null, event.data.failedAt);
    // `shownReason` is the reason that the partner may see.
    case 'AccountRequestRejected':
      return { ...updated(event.data, 'rejected', null, endedAt(event)), reason: event.data.shownReason };
    case 'AccountRequestExpired':
      return { ...updated(event.data, 'expired', null, endedAt(event)), reason: 'expired' };
    case 'AccountRequestCancelled':
      return updated(event.data, 'cancelled', null, endedAt(event));
  }
}

type Updated =
  | ScreeningStarted
  | ReviewRequested
  | InformationRequested
  | InformationProvided
  | AccountRequestApproved
  | ProvisioningFailed
  | Ended;

const awaiting = (ids: Ids, remaining: InformationProvided['data']['remaining'], at: string) => ({
  ...updated(ids, 'pending', 'information-requested', at),
  ...(remaining && { missing: remaining.items, issues: remaining.issues, 'information-due-at': remaining.dueAt }),
});

interface Ids {
  readonly requestId: string;
  readonly accountId: string;
}

const updated = (ids: Ids, status: AccountRequestStatus, stage: ReviewStage | null, at: string) => ({
  'account-request-id': ids.requestId,
  'account-id': ids.accountId,
  status,
  'review-stage': stage,
  'updated-at': at,
});
