import type { DepositCommand } from '../deposit/deposit.state';
import { NOW, factsOf } from '../deposit/deposit.testing';
import { confirmSetAside, requestSetAside, tokenFacts, waitingTokens } from '../set-aside/set-aside.testing';
import { sendingMovementId } from './sending.domain';

export const DESTINATION = `0x${'ab'.repeat(20)}`;
/** The commands that put tokens of a closed account into suspense. */
export const setAside = (amount?: string): DepositCommand[] => [
  ...waitingTokens(amount),
  requestSetAside(),
  confirmSetAside(),
];
export const { depositId: ID } = tokenFacts();

export const proposeSending = (staffId = 'first', destination = DESTINATION): DepositCommand => ({
  ...{ kind: 'propose-sending', destination, reference: 'TICKET-1', staffId, now: NOW },
});
export const confirmSending = (staffId = 'second', proposal = 1): DepositCommand => ({
  ...{ kind: 'confirm-sending', proposal, staffId, now: NOW },
});
export const rejectSending = (staffId = 'second', proposal = 1): DepositCommand => ({
  ...{ kind: 'reject-sending', proposal, staffId, now: NOW },
});
export const sent = (proposal = 1, receiverAccountId: string | null = null, depositId = ID): DepositCommand => ({
  ...{
    kind: 'note-sent',
    movementId: sendingMovementId(depositId, proposal),
    txHash: '0xc',
    receiverAccountId,
    now: NOW,
  },
});
export const failed = (proposal = 1, depositId = ID): DepositCommand => ({
  ...{ kind: 'note-sending-failed', movementId: sendingMovementId(depositId, proposal), now: NOW },
  failure: { code: 'reverted', message: 'Nothing was moved.', retryable: true },
});
/** Tokens of a closed account in suspense under a name. */
export const namedSetAside = (name: string, amount: string): DepositCommand[] => {
  const [, ...rest] = setAside();
  const { depositId: _, ...more } = tokenFacts(amount);
  return [{ kind: 'create', facts: factsOf(name, amount, more) }, ...rest];
};
