import type { AccountRequestRecord, RequirementName, Requirements } from '@ponte/contracts';
import { pick } from '@ponte/kernel';
import { sentParts } from './parts.domain';
import type { OpenRequest } from './account-request.state';
import { isFreed } from './account-request.state';

/** The request as shown to the partner. It never includes documents, liveness, PEP status or the reasons of staff. */
export function requestRecord(state: OpenRequest): AccountRequestRecord {
  const { terms, status, stage, information, rejection, failure, statusUpdatedAt } = state;
  return {
    ...pick(terms, 'requestId', 'accountId', 'parentId', 'mode'),
    type: 'individual',
    status,
    reviewStage: stage,
    rewardTier: terms.rewardTier,
    ...pick(terms.details.holder, 'maskedIdentifier', 'country'),
    externalId: terms.externalId,
    requirements: requirementsOf(state),
    reason: reasonOf(status, rejection),
    failure: failure?.failure ?? null,
    informationDueAt: information?.dueAt ?? null,
    createdAt: terms.requestedAt,
    statusUpdatedAt,
  };
}

function reasonOf(status: OpenRequest['status'], rejection: OpenRequest['rejection']): AccountRequestRecord['reason'] {
  return status === 'expired' ? 'expired' : (rejection?.shown ?? null);
}

function requirementsOf(state: OpenRequest): Requirements {
  const { status, stage, information, rejection, left } = state;
  // What did not arrive before the request ended is not complete: a new request has to contain it.
  const missing: readonly RequirementName[] = isFreed(state) ? (left?.missing ?? []) : [];
  const sent = (['personal-data', ...sentParts(state)] as RequirementName[]).filter((part) => !missing.includes(part));
  const checks: RequirementName[] = ['screening', 'review'];
  const none: Requirements = { complete: sent, pending: [], missing, issues: [] };
  switch (status) {
    case 'pending':
      break;
    case 'approved':
    case 'provisioning-failed':
      return { ...none, complete: [...sent, ...checks], pending: ['provisioning'] };
    case 'active':
      return { ...none, complete: [...sent, ...checks, 'provisioning'] };
    case 'rejected':
      return { ...none, complete: [...sent, ...checks], issues: rejection ? [rejection.shown] : [] };
    case 'expired':
      return { ...none, issues: ['expired'] };
    case 'cancelled':
      return left?.stage === 'manual-review' ? { ...none, complete: [...sent, 'screening'] } : none;
  }
  if (information) {
    const wanted: readonly RequirementName[] = information.items;
    return {
      complete: sent.filter((part) => !wanted.includes(part)),
      pending: information.items.filter((item) => !information.missing.includes(item)),
      missing: information.missing,
      issues: information.issues,
    };
  }
  // A failed liveness session is shown as complete: only reviewers see its result.
  if (stage === 'manual-review') return { ...none, complete: [...sent, 'screening'], pending: ['review'] };
  return {
    ...none,
    complete: sent.filter((part) => part !== 'liveness'),
    pending: [...(sent.includes('liveness') ? ['liveness' as const] : []), ...checks],
  };
}
