import type {
  AccountRequestEvent,
  DecideInSandbox,
  Failure,
  InformationProvided,
  PartnerReason,
  ProvisioningStep,
  Timestamp,
} from '@ponte/contracts';
import {
  ACCOUNT_REQUEST_EVENTS,
  AccountRequestAbandoned,
  AccountRequested,
  InformationProvided as Provided,
  PARTNER_REASONS,
} from '@ponte/contracts';
import type { Decider, PayloadOf } from '@ponte/event-sourcing';
import { refuse, refuseAll } from '@ponte/kernel';
import { wordViolations } from '../person/texts.domain';
import { approve, askInformation, cancel, expire, reject } from './ending.domain';
import { fold, subject } from './moves.domain';
import { askableItems, usualItem } from './parts.domain';
import { failProvisioning, noteStep, retryProvisioning } from './provisioning.domain';
import type { ReviewCommand } from './review-command.domain';
import { decideReview } from './review.domain';
import type { NoteSharedLiveness, RecordLiveness, RecordScreening } from './screening.domain';
import {
  giveUpWaiting,
  noteSharedLiveness,
  recordLiveness,
  recordScreening,
  started,
  startScreening,
} from './screening.domain';
import type { AccountRequest, OpenRequest, RequestTerms } from './account-request.state';
import { isOpenRequest } from './account-request.state';
import { evolve } from './request-evolution.domain';

type About = 'requestId' | 'accountId' | 'parentId';

export type AccountRequestCommand =
  | { readonly kind: 'request'; readonly terms: RequestTerms }
  | { readonly kind: 'abandon'; readonly requestId: string; readonly at: Timestamp }
  | {
      readonly kind: 'start-screening' | 'give-up-waiting' | 'cancel' | 'expire' | 'retry-provisioning';
      readonly at: Timestamp;
    }
  | RecordScreening
  | RecordLiveness
  | NoteSharedLiveness
  | { readonly kind: 'review'; readonly command: ReviewCommand }
  | {
      readonly kind: 'provide-information';
      readonly sent: Omit<InformationProvided['data'], About | 'providedAt'>;
      readonly at: Timestamp;
    }
  | {
      readonly kind: 'decide-in-sandbox';
      readonly command: Pick<PayloadOf<typeof DecideInSandbox>, 'decision' | 'reason' | 'items'>;
      readonly at: Timestamp;
    }
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
    case 'record-liveness':
      return recordLiveness(command, state);
    case 'note-shared-liveness':
      return noteSharedLiveness(command, state);
    case 'give-up-waiting':
      return giveUpWaiting(state, command.at);
    case 'review':
      return decideReview(command.command, state);
    case 'provide-information':
      return provideInformation(command, state);
    case 'cancel':
      return cancel(state, command.at);
    case 'expire':
      return expire(state, command.at);
    case 'decide-in-sandbox':
      return decideInSandbox(command, state);
    case 'note-step':
      return noteStep(state, command.step, command.at);
    case 'fail-provisioning':
      return failProvisioning(state, command.step, command.failure, command.at);
    case 'retry-provisioning':
      return retryProvisioning(state, command.at);
  }
}

function provideInformation(
  { sent, at }: Extract<AccountRequestCommand, { kind: 'provide-information' }>,
  state: OpenRequest,
): AccountRequestEvent[] {
  if (state.stage !== 'information-requested')
    refuse('information-not-requested', 'the request is not waiting for information', 'id');
  const provided = new Provided({ ...subject(state), ...sent, providedAt: at });
  return [provided, started(fold(state, provided), at)];
}

/** Decides the request in any stage. A decided request stays as it is. */
function decideInSandbox(
  { command, at }: Extract<AccountRequestCommand, { kind: 'decide-in-sandbox' }>,
  state: OpenRequest,
): AccountRequestEvent[] {
  refuseAll([
    ...wordViolations(command.items, askableItems(state), 'items'),
    ...wordViolations(command.reason === null ? [] : [command.reason], PARTNER_REASONS, 'reason'),
  ]);
  if (state.status !== 'pending') return [];
  const byNobody = { staffId: null, note: null, at };
  switch (command.decision) {
    case 'approve':
      return approve(state, 'sandbox-decision', byNobody);
    case 'reject':
      return reject(state, { ...byNobody, reason: 'risk-appetite', shown: command.reason ?? 'compliance' });
    case 'ask-information':
      return askInSandbox(state, command.items.length > 0 ? command : { ...command, items: [usualItem(state)] }, at);
  }
}

function askInSandbox(
  state: OpenRequest,
  { items, reason }: { items: Parameters<typeof askInformation>[1]['items']; reason: PartnerReason | null },
  at: Timestamp,
): AccountRequestEvent[] {
  if (state.stage === 'received') refuse('review-not-open', 'the request was received a moment ago; try again', 'id');
  if (state.stage === 'information-requested') return [];
  return askInformation(state, { staffId: null, note: null, at, items, issues: reason === null ? [] : [reason] });
}
