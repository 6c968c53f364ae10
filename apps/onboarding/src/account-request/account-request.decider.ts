import type { AccountRequestEvent, Failure, ProvisioningStep, Timestamp } from '@ponte/contracts';
import { ACCOUNT_REQUEST_EVENTS, AccountRequestAbandoned, AccountRequested } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { cancel, expire } from './ending.domain';
import type { SentInformation } from './answers/information.domain';
import { provideInformation } from './answers/information.domain';
import { failProvisioning, noteAccountClosed, noteStep, retryProvisioning } from './provisioning.domain';
import type { ReviewCommand } from './review-command.domain';
import { decideReview } from './review.domain';
import type { SandboxDecision } from './answers/sandbox-decision.domain';
import { decideInSandbox } from './answers/sandbox-decision.domain';
import type { NoteSharedLiveness, RecordLiveness, RecordScreening } from './screening.domain';
import { giveUpWaiting, noteSharedLiveness, recordLiveness, recordScreening, startScreening } from './screening.domain';
import type { RepeatScreening } from '../ongoing-screening/repeated-screening.domain';
import { repeatScreening } from '../ongoing-screening/repeated-screening.domain';
import type { AccountRequest, OpenRequest, RequestTerms } from './account-request.state';
import { isOpenRequest } from './account-request.state';
import type { NoteRelatedFindings } from '../review/related-findings.domain';
import { noteRelatedFindings } from '../review/related-findings.domain';
import { evolve } from './request-evolution.domain';

export type AccountRequestCommand =
  | { readonly kind: 'request'; readonly terms: RequestTerms }
  | { readonly kind: 'abandon'; readonly requestId: string; readonly at: Timestamp }
  | {
      readonly kind: 'start-screening' | 'give-up-waiting' | 'cancel' | 'expire' | 'retry-provisioning';
      readonly at: Timestamp;
    }
  | RecordScreening
  | RepeatScreening
  | RecordLiveness
  | NoteSharedLiveness
  | NoteRelatedFindings
  | { readonly kind: 'review'; readonly command: ReviewCommand }
  | {
      readonly kind: 'provide-information';
      readonly sent: SentInformation;
      readonly at: Timestamp;
    }
  | {
      readonly kind: 'decide-in-sandbox';
      readonly command: SandboxDecision;
      readonly at: Timestamp;
    }
  | { readonly kind: 'note-account-closed'; readonly closedAt: Timestamp }
  | { readonly kind: 'note-step'; readonly step: ProvisioningStep; readonly at: Timestamp }
  | {
      readonly kind: 'fail-provisioning';
      readonly step: ProvisioningStep;
      readonly failure: Failure;
      readonly at: Timestamp;
    };

/** An account request: it ends with a working account, or in a way that lets the person try again. */
export const accountRequest: Decider<AccountRequestCommand, AccountRequest, AccountRequestEvent> = {
  category: 'accountRequest',
  initial: { status: 'absent' },
  creation: AccountRequested,
  events: ACCOUNT_REQUEST_EVENTS,
  decide(command, state) {
    // A caller that comes second, or after the sweep, finds the outcome in the state.
    if (command.kind === 'request') return state.status === 'absent' ? [new AccountRequested(command.terms)] : [];
    if (command.kind === 'abandon')
      return state.status === 'absent'
        ? [new AccountRequestAbandoned({ requestId: command.requestId, abandonedAt: command.at })]
        : [];
    return move(command, openRequest(state));
  },
  evolve,
};

/** The open request; refuses `account-request-not-found` otherwise. */
export const openRequest = (state: AccountRequest): OpenRequest =>
  isOpenRequest(state) ? state : refuse('account-request-not-found', 'there is no such account request', 'id');

function move(
  command: Exclude<AccountRequestCommand, { kind: 'request' | 'abandon' }>,
  state: OpenRequest,
): AccountRequestEvent[] {
  switch (command.kind) {
    case 'start-screening':
      return startScreening(state, command.at);
    case 'record-screening':
      return recordScreening(command, state);
    case 'repeat-screening':
      return repeatScreening(command, state);
    case 'record-liveness':
      return recordLiveness(command, state);
    case 'note-shared-liveness':
      return noteSharedLiveness(command, state);
    case 'note-related-findings':
      return noteRelatedFindings(command.found, command.at, state);
    case 'give-up-waiting':
      return giveUpWaiting(state, command.at);
    case 'review':
      return decideReview(command.command, state);
    case 'provide-information':
      return provideInformation(command.sent, state, command.at);
    case 'cancel':
      return cancel(state, command.at);
    case 'expire':
      return expire(state, command.at);
    case 'decide-in-sandbox':
      return decideInSandbox(command.command, state, command.at);
    case 'note-step':
      return noteStep(state, command.step, command.at);
    case 'fail-provisioning':
      return failProvisioning(state, command.step, command.failure, command.at);
    case 'retry-provisioning':
      return retryProvisioning(state, command.at);
    case 'note-account-closed':
      return noteAccountClosed(state, command.closedAt);
  }
}
