import type { DepositEvent } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import { confirmedDeposit, voidedDeposit } from '../deposit/deposit-ends.domain';
import type { Deposit } from '../deposit/deposit.state';

/** Four eyes: the staff member who recorded a deposit cannot confirm it. */
export function confirmedByStaff(staffId: string, now: string, state: Deposit): DepositEvent[] {
  const { status, facts } = recordedByStaff(state);
  if (facts.recorded?.staffId === staffId)
    return refuse('second-approver-required', 'a different member of staff has to confirm the deposit', 'id');
  if (status === 'voided') return refuse('review-not-open', 'the deposit is voided', 'id');
  if (status !== 'created' || facts.accountId === null) return [];
  return [confirmedDeposit(facts, facts.accountId, now, staffId)];
}

/** Voids a deposit that a staff member recorded; nothing if it is voided. Refuses once it is confirmed. */
export function rejectedByStaff(now: string, state: Deposit): DepositEvent[] {
  const { status, facts } = recordedByStaff(state);
  if (status === 'voided') return [];
  if (status !== 'created') return refuse('review-not-open', 'the deposit has already been confirmed', 'id');
  return [voidedDeposit(status, facts, { reason: 'refused-by-staff', returnId: null, now })];
}

const recordedByStaff = (state: Deposit) =>
  state.status === 'none' || !state.facts.recorded
    ? refuse('deposit-not-found', 'staff recorded no such deposit')
    : state;
