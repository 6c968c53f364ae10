import type {
  AccountRequestActivated, AccountRequestApproved, AccountRequestCancelled, AccountRequestExpired, AccountRequestRejected, AccountRequestStatus,
  InformationRequested, ProvisioningFailed, ReviewRequested, ReviewStage, ScreeningStarted,
} from '@ponte/contracts';

/** Contract §12: the account works. */
export const accountApproved = (data: AccountRequestActivated['data']) => ({
  'subaccount-id': data.accountId, status: 'active', 'completed-at': data.activatedAt,
});

/** Contract §12: it will not come to be. The reason is one that the partner may know. */
export const accountRejected = (data: AccountRequestRejected['data']) => rejected(data.accountId, 'rejected', data.shownReason, data.rejectedAt);
export const accountExpired = (data: AccountRequestExpired['data']) => rejected(data.accountId, 'expired', 'expired', data.expiredAt);
/** By the partner itself, so no reason of ours: `compliance` would accuse somebody whom nobody judged. */
export const accountCancelled = (data: AccountRequestCancelled['data']) => rejected(data.accountId, 'cancelled', 'cancelled', data.cancelledAt);

/** Ours: the request came to another stage or status, and what the partner has to send, if anything. */
export function accountRequestUpdated(event: Updated) {
  switch (event.type) {
    case 'ScreeningStarted': return updated(event.data, 'pending', 'screening', event.data.startedAt);
    case 'ReviewRequested': return updated(event.data, 'pending', 'manual-review', event.data.requestedAt);
    case 'InformationRequested': {
      const { items, issues, dueAt, requestedAt } = event.data;
      return { ...updated(event.data, 'pending', 'information-requested', requestedAt), missing: items, issues, 'information-due-at': dueAt };
    }
    case 'AccountRequestApproved': return updated(event.data, 'approved', null, event.data.approvedAt);
    case 'ProvisioningFailed': return updated(event.data, 'provisioning-failed', null, event.data.failedAt);
  }
}

type Updated = ScreeningStarted | ReviewRequested | InformationRequested | AccountRequestApproved | ProvisioningFailed;

const rejected = (accountId: string, status: AccountRequestStatus, reason: string, at: string) =>
  ({ 'subaccount-id': accountId, status, reason, 'rejected-at': at });

const updated = (ids: { requestId: string; accountId: string }, status: AccountRequestStatus, stage: ReviewStage | null, at: string) => ({
  'account-request-id': ids.requestId, 'account-id': ids.accountId, status, 'review-stage': stage, 'updated-at': at,
});
