import type {
  AccountRequestActivated,
  AccountRequestApproved,
  AccountRequestCancelled,
  AccountRequestExpired,
  AccountRequestRejected,
  AccountRequestStatus,
  InformationRequested,
  ProvisioningFailed,
  ReviewRequested,
  ReviewStage,
  ScreeningStarted,
} from '@ponte/contracts';

/** The account works. */
export const accountApproved = (data: AccountRequestActivated['data']) => ({
  'subaccount-id': data.accountId,
  status: 'active',
  'completed-at': data.activatedAt,
});

type Ended = AccountRequestRejected | AccountRequestExpired | AccountRequestCancelled;

/**
 * The same for every request that did not become an account, whatever ended it. `account-request-updated`
 * says what did.
 */
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

/** Ours: the request came to another stage or status, and what the partner has to send, if anything. */
export function accountRequestUpdated(event: Updated) {
  switch (event.type) {
    case 'ScreeningStarted':
      return updated(event.data, 'pending', 'screening', event.data.startedAt);
    case 'ReviewRequested':
      return updated(event.data, 'pending', 'manual-review', event.data.requestedAt);
    case 'InformationRequested': {
      const { items, issues, dueAt, requestedAt } = event.data;
      return {
        ...updated(event.data, 'pending', 'information-requested', requestedAt),
        missing: items,
        issues,
        'information-due-at': dueAt,
      };
    }
    case 'AccountRequestApproved':
      return updated(event.data, 'approved', null, event.data.approvedAt);
    case 'ProvisioningFailed':
      return updated(event.data, 'provisioning-failed', null, event.data.failedAt);
    // The reason is one that the partner may know.
    case 'AccountRequestRejected':
      return { ...updated(event.data, 'rejected', null, endedAt(event)), reason: event.data.shownReason };
    case 'AccountRequestExpired':
      return { ...updated(event.data, 'expired', null, endedAt(event)), reason: 'expired' };
    case 'AccountRequestCancelled':
      return updated(event.data, 'cancelled', null, endedAt(event));
  }
}

type Updated =
  ScreeningStarted | ReviewRequested | InformationRequested | AccountRequestApproved | ProvisioningFailed | Ended;

const updated = (
  ids: { requestId: string; accountId: string },
  status: AccountRequestStatus,
  stage: ReviewStage | null,
  at: string,
) => ({
  'account-request-id': ids.requestId,
  'account-id': ids.accountId,
  status,
  'review-stage': stage,
  'updated-at': at,
});
