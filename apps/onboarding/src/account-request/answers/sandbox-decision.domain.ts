import type { AccountRequestEvent, DecideInSandbox, Timestamp } from '@ponte/contracts';
import { PARTNER_REASONS } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { refuse, refuseAll } from '@ponte/kernel';
import { wordViolations } from '../../person/texts.domain';
import type { OpenRequest } from '../account-request.state';
import { approve, askInformation, reject } from '../ending.domain';
import { askableItems, usualItem } from '../parts.domain';

export type SandboxDecision = Pick<PayloadOf<typeof DecideInSandbox>, 'decision' | 'reason' | 'items'>;

/** Decides the request in any stage. The decision that was already taken changes nothing; another one is refused. */
export function decideInSandbox(command: SandboxDecision, state: OpenRequest, at: Timestamp): AccountRequestEvent[] {
  refuseAll([
    ...wordViolations(command.items, askableItems(state), 'items'),
    ...wordViolations(command.reason === null ? [] : [command.reason], PARTNER_REASONS, 'reason'),
  ]);
  if (state.status !== 'pending')
    return isSameDecision(command, state)
      ? []
      : refuse('account-request-not-pending', `the request is ${state.status} and cannot be decided again`, 'id');
  const byNobody = { staffId: null, note: null, at };
  switch (command.decision) {
    case 'approve':
      return approve(state, 'sandbox-decision', byNobody);
    case 'reject':
      return reject(state, { ...byNobody, reason: 'risk-appetite', shown: command.reason ?? 'compliance' });
    case 'ask-information':
      return ask(command, state, at);
  }
}

/** A repetition that names no reason means the one that was given. */
function isSameDecision({ decision, reason }: SandboxDecision, { status, rejection }: OpenRequest): boolean {
  switch (status) {
    case 'approved':
    case 'provisioning-failed':
    case 'active':
      return decision === 'approve';
    case 'rejected':
      return decision === 'reject' && (reason === null || reason === rejection?.shown);
    case 'pending':
    case 'expired':
    case 'cancelled':
      return false;
  }
}

function ask({ items, reason }: SandboxDecision, state: OpenRequest, at: Timestamp): AccountRequestEvent[] {
  if (state.stage === 'received') refuse('review-not-open', 'the request was received a moment ago; try again', 'id');
  const { information } = state;
  const issues = reason === null ? [] : [reason];
  if (information === null)
    return askInformation(state, {
      staffId: null,
      note: null,
      at,
      items: items.length > 0 ? items : [usualItem(state)],
      issues,
    });
  const repeated =
    (items.length === 0 || isSame(items, information.items)) && (reason === null || isSame(issues, information.issues));
  return repeated
    ? []
    : refuse('review-not-open', 'the request already waits for other information; send that first', 'id');
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));
