import type { DepositEvent, DepositVoidReason } from '@ponte/contracts';
import { DepositConfirmed, DepositVoided, depositMachine, isTokenCoordinates } from '@ponte/contracts';
import { assertMove } from '@ponte/event-sourcing';
import type { Deposit, DepositFacts } from './deposit.state';
import { returnIdOf } from './deposit.state';

type Status = Exclude<Deposit['status'], 'none'>;

/** Confirms a created deposit for its account. `confirmedBy`: the staff member, for deposits that one must confirm. */
export function confirmedDeposit(
  { depositId }: DepositFacts,
  accountId: string,
  now: string,
  confirmedBy?: string,
): DepositConfirmed {
  assertMove(depositMachine, 'created', 'confirmed');
  return new DepositConfirmed({ depositId, accountId, confirmedAt: now, ...(confirmedBy && { confirmedBy }) });
}

/** `returnId` is the return that sends the money back; null if nothing is sent back. */
export function voidedDeposit(
  status: Status,
  facts: DepositFacts,
  { reason, returnId, now }: { reason: DepositVoidReason; returnId: string | null; now: string },
): DepositVoided {
  assertMove(depositMachine, status, 'voided');
  const { depositId, accountId, type, asset, amount, orderId, coordinates } = facts;
  const voided = { depositId, accountId, voidedAt: now, reason, returnId, type, asset, amount, orderId };
  return new DepositVoided(isTokenCoordinates(coordinates) ? { ...voided, tokenCoordinates: coordinates } : voided);
}

/** Refuses a confirmed deposit whose account was closed meanwhile. The money goes back to its payer. */
export function refusedAsClosed(now: string, state: Deposit): DepositEvent[] {
  if (state.status !== 'confirmed') return [];
  const { status, facts } = state;
  return [
    voidedDeposit(status, facts, { reason: 'account-not-active', returnId: returnIdOf(facts.depositId, 1), now }),
  ];
}
