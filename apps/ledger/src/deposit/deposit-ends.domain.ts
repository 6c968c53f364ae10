import type { DepositEvent, DepositVoidReason } from '@ponte/contracts';
import { DepositConfirmed, DepositVoided, depositMachine, isTokenCoordinates } from '@ponte/contracts';
import { assertMove } from '@ponte/event-sourcing';
import type { Deposit, DepositFacts } from './deposit.state';
import { belongsToHolder, returnIdOf } from './deposit.state';
import { postedToSuspense } from '../suspense/suspense.domain';

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

/**
 * Refuses a confirmed deposit whose account was closed meanwhile. A payment goes back to its payer; money that cannot,
 * see `belongsToHolder`, goes to suspense in the same append, so that the books never miss it.
 */
export function refusedAsClosed(now: string, state: Deposit): DepositEvent[] {
  if (state.status !== 'confirmed') return [];
  const { status, facts } = state;
  const staysHere = belongsToHolder(facts);
  const returnId = staysHere ? null : returnIdOf(facts.depositId, 1);
  const voided = voidedDeposit(status, facts, { reason: 'account-not-active', returnId, now });
  return staysHere ? [voided, postedToSuspense(facts, 'unallocated', now)] : [voided];
}
