import type { AccountRequestEvent, AccountRequestStatus, ReviewStage } from '@ponte/contracts';
import { accountRequestMachine, reviewStageMachine } from '@ponte/contracts';
import { assertMove } from '@ponte/event-sourcing';
import type { OpenRequest } from './account-request.state';
import { evolve } from './request-evolution.domain';

/** The ids that every event of a request carries. */
export const subject = ({ terms: { requestId, accountId, parentId } }: OpenRequest) => ({
  requestId,
  accountId,
  parentId,
});

/** The state after the events that a decision has produced so far. */
export const fold = (state: OpenRequest, ...events: AccountRequestEvent[]): OpenRequest =>
  events.reduce<OpenRequest>((now, event) => evolve(now, event) as OpenRequest, state);

/** Throws if the request may not move to this status. */
export const moveStatus = (state: OpenRequest, to: AccountRequestStatus): void =>
  assertMove(accountRequestMachine, state.status, to);

/** Throws if the review may not move to this stage. */
export function moveStage(state: OpenRequest, to: ReviewStage): void {
  if (state.stage === null) throw new Error(`a request that is ${state.status} has no stage to move`);
  assertMove(reviewStageMachine, state.stage, to);
}
