import { fold } from '@ponte/event-sourcing';
import { Refusal } from '@ponte/kernel';
import { deposit } from '../deposit/deposit.decider';
import { NOW, factsOf } from '../deposit/deposit.testing';
import type { Deposit, DepositCommand } from '../deposit/deposit.state';
import { MAX_RETURNS, depositIdOf, returnIdOf } from '../deposit/deposit.state';

/** The commands that create a deposit for no account and let the bank refuse each of its returns. */
export const refusedReturn = (endToEndId: string, amount?: string): DepositCommand[] => [
  { kind: 'create', facts: factsOf(endToEndId, amount) },
  { kind: 'validate', validation: { accepted: false, reason: 'unknown-target' }, now: NOW },
  ...Array.from({ length: MAX_RETURNS }, (_, at): DepositCommand => ({
    kind: 'note-return',
    returnId: returnIdOf(depositIdOf(endToEndId), at + 1),
    executed: false,
    bankReturnId: null,
    now: NOW,
  })),
];

export const propose = (staffId = 'first', bankReference = 'E1'): DepositCommand => ({
  kind: 'propose-settlement',
  bankReference,
  note: 'sealed:v1:x',
  staffId,
  now: NOW,
});
export const confirm = (staffId = 'second', proposal = 1): DepositCommand => ({
  kind: 'confirm-settlement',
  proposal,
  staffId,
  now: NOW,
});
export const reject = (staffId = 'second', proposal = 1): DepositCommand => ({
  kind: 'reject-settlement',
  proposal,
  staffId,
  now: NOW,
});
export const takeBack: DepositCommand = { kind: 'take-back', now: NOW };

/** The state after the commands, and the types of their events. */
export function after(...commands: DepositCommand[]): { readonly state: Deposit; readonly types: readonly string[] } {
  let state = deposit.initial;
  const types: string[] = [];
  for (const command of commands) {
    const events = deposit.decide(command, state);
    types.push(...events.map(({ type }) => type));
    state = fold(deposit, state, events);
  }
  return { state, types };
}

/** The code with which one of the commands is refused. */
export function codeOf(...commands: DepositCommand[]): string {
  try {
    after(...commands);
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return 'not refused';
}

/** The events of the last command. */
export const decided = (before: readonly DepositCommand[], last: DepositCommand) =>
  deposit.decide(last, after(...before).state);
