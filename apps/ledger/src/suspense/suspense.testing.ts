import type { DepositCreated } from '@ponte/contracts';
import { fold } from '@ponte/event-sourcing';
import { deposit } from '../deposit/deposit.decider';
import type { Deposit, DepositCommand } from '../deposit/deposit.state';
import { MAX_RETURNS, depositIdOf, returnIdOf } from '../deposit/deposit.state';

export const NOW = '2026-11-20T12:00:00.000Z';

export const factsOf = (
  endToEndId: string,
  amount = '100.00',
  more: Partial<DepositCreated['data']> = {},
): DepositCreated['data'] => ({
  depositId: depositIdOf(endToEndId),
  accountId: null,
  parentId: null,
  type: 'pix',
  asset: 'fiat/brl',
  amount,
  endToEndId,
  orderId: null,
  coordinates: {
    sourceTaxId: 'sealed:v1:x',
    sourceTaxIdFingerprint: 'f',
    sourceLegalName: 'sealed:v1:x',
    sourceBankCode: '12345678',
    sourceType: 'checking',
    sourceAccountNumber: 'sealed:v1:x',
    sourceBranchCode: 'sealed:v1:x',
    target: 'T',
  },
  settledAt: NOW,
  createdAt: NOW,
  ...more,
});

/** The commands that create a deposit for no account and let the bank refuse each of its returns. */
export const refusedReturn = (endToEndId: string, amount?: string): DepositCommand[] => [
  { kind: 'create', facts: factsOf(endToEndId, amount) },
  { kind: 'validate', verdict: { accepted: false, reason: 'unknown-target' }, now: NOW },
  ...Array.from({ length: MAX_RETURNS }, (_, at): DepositCommand => ({
    kind: 'note-return',
    returnId: returnIdOf(depositIdOf(endToEndId), at + 1),
    carriedOut: false,
    now: NOW,
  })),
];

export const propose = (staffId = 'first', bankReference = 'E1'): DepositCommand => ({
  kind: 'propose-settlement',
  bankReference,
  note: 'Ticket 4711',
  staffId,
  now: NOW,
});
export const confirm = (staffId = 'second', proposal = 1): DepositCommand => ({
  kind: 'confirm-settlement',
  proposal,
  staffId,
  now: NOW,
});
export const reject = (staffId = 'second'): DepositCommand => ({ kind: 'reject-settlement', staffId, now: NOW });
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
