import type { AccountRequestEvent, ChecklistItem, HistoryEntry, RequestDuplicate } from '@ponte/contracts';
import { REQUEST_RULES } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { pick } from '@ponte/kernel';
import { needsTwoApprovers } from '../account-request/four-eyes.domain';
import { hasTrueMatch, isLivenessStale, livenessOf, openHits } from '../account-request/findings.domain';
import { peopleOf } from '../account-request/screening.domain';
import type { OpenRequest } from '../account-request/account-request.state';

/** A history entry of an event, without personal data: sealed texts and subject ids are left out. */
export const historyEntry = (event: Recorded<AccountRequestEvent>): HistoryEntry => ({
  type: event.type,
  at: event.meta.occurredAt,
  actor: event.meta.actor ?? null,
  facts: factsOf(event),
});

function factsOf(event: Recorded<AccountRequestEvent>): Record<string, unknown> {
  switch (event.type) {
    case 'AccountRequested':
      return pick(event.data, 'mode', 'rewardTier', 'fourEyes', 'attempt');
    case 'ScreeningStarted':
      return { round: event.data.round };
    case 'ScreeningRecorded':
      return {
        person: event.data.person,
        round: event.data.round,
        hits: event.data.hits.length,
        ...(event.data.stoppedAccounts && { stoppedAccounts: event.data.stoppedAccounts }),
      };
    case 'ScreeningRepeated':
      return { person: event.data.person, round: event.data.round, hits: event.data.hits.length };
    case 'LivenessRecorded':
      return { outcome: event.data.outcome, ...(event.data.sharedWith && { sharedWith: event.data.sharedWith }) };
    case 'LivenessShared':
      return { sharedWith: event.data.sharedWith };
    case 'DuplicatesFound':
      return { duplicates: event.data.duplicates.map(({ kind }) => kind) };
    case 'StoppedAccountsFound':
      return { person: event.data.person, stoppedAccounts: event.data.stoppedAccounts };
    case 'ScreeningHitJudged':
      return pick(event.data, 'person', 'verdict', 'reason', 'staffId');
    case 'ReviewRequested':
      return { causes: event.data.causes };
    case 'ReviewClaimed':
    case 'ReviewReleased':
    case 'ReviewEscalated':
      return { staffId: event.data.staffId };
    case 'ReviewDecided':
      return { decision: event.data.decision, final: event.data.final, staffId: event.data.staffId };
    case 'InformationRequested':
      return { items: event.data.items, issues: event.data.issues, dueAt: event.data.dueAt };
    case 'InformationProvided':
      return { files: event.data.otherFileIds.length, missing: event.data.remaining?.items ?? [] };
    case 'AccountRequestApproved':
      return { approvedBy: event.data.approvedBy };
    case 'AccountRequestRejected':
      return { reason: event.data.reason, shownReason: event.data.shownReason };
    case 'ProvisioningStepDone':
      return { step: event.data.step };
    case 'ProvisioningFailed':
      return { step: event.data.step, code: event.data.failure.code, retryAt: event.data.retryAt };
    case 'AccountRequestAbandoned':
    case 'AccountRequestExpired':
    case 'AccountRequestCancelled':
    case 'ProvisioningRetried':
    case 'AccountRequestActivated':
    case 'RequestedAccountClosed':
      return {};
  }
}

/** What screening compared. In reliance mode, the partner screens the name, which Ponte does not have. */
const SCREENING = {
  kyc: 'No person of the request is on a sanctions or PEP list',
  reliance: 'No external wallet is on a sanctions list, and no earlier hit on the person is open',
} as const;

/**
 * The checklist for reviewers. The twelve rules have passed, otherwise the request would not exist. `sharedWith`: other
 * people's requests that name the session by now. Once the request is decided, no item is pending.
 */
export function checklist(
  state: OpenRequest,
  sharedWith: readonly string[],
  duplicates: readonly RequestDuplicate[],
): ChecklistItem[] {
  const { details } = state.terms;
  const hasRepresentative = details.mode === 'kyc' && details.representative !== null;
  const applies = (rule: number): boolean =>
    details.mode === 'kyc' ? hasRepresentative || rule < 8 || rule > 10 : [1, 2, 3, 12].includes(rule);
  const liveness = livenessOf(state);
  const item = (check: string, title: string, outcome: ChecklistItem['outcome']): ChecklistItem => ({
    check,
    title,
    outcome: outcome === 'pending' && state.status !== 'pending' ? 'not-applicable' : outcome,
  });
  return [
    ...REQUEST_RULES.map(({ rule, title }) => item(`rule-${rule}`, title, applies(rule) ? 'passed' : 'not-applicable')),
    item('screening', SCREENING[details.mode], screeningOutcome(state)),
    item(
      'liveness',
      'The liveness session passed, was recent, and no other person uses it',
      liveness === 'not-wanted'
        ? 'not-applicable'
        : liveness === 'failed' || sharedWith.length > 0 || isLivenessStale(state)
          ? 'attention'
          : liveness,
    ),
    item(
      'duplicates',
      'No request of another person has the same documents, contact data or wallets',
      duplicates.some(({ kind, requests }) => kind !== 'liveness' && requests.some(({ samePerson }) => !samePerson))
        ? 'attention'
        : 'passed',
    ),
    item(
      'four-eyes',
      'Two different approvers decide',
      needsTwoApprovers(state) || sharedWith.length > 0
        ? state.approvals.length >= 2
          ? 'passed'
          : 'pending'
        : 'not-applicable',
    ),
  ];
}

/** Also passed if every hit was judged a false positive. */
function screeningOutcome(state: OpenRequest): ChecklistItem['outcome'] {
  if (hasTrueMatch(state) || openHits(state).length > 0) return 'attention';
  return state.screening.filter(({ round }) => round === state.round).length < peopleOf(state).length
    ? 'pending'
    : 'passed';
}
