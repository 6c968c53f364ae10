import type { AddressHit, DepositEvent } from '@ponte/contracts';
import { DepositFinalized } from '@ponte/contracts';
import type { Deposit } from './deposit.state';
import { awaitsFinality } from './deposit.state';
import { confirmedDeposit, voidedDeposit } from './deposit-ends.domain';

/** Policies process the events of a chain in order, so the deposit was created before. */
export function confirmedArrival(now: string, state: Deposit): DepositEvent[] {
  if (state.status !== 'created' || !state.facts.arrival || state.facts.accountId === null) return [];
  return [confirmedDeposit(state.facts, state.facts.accountId, now)];
}

/**
 * Records that the block of an arrival is final, with the sanctions hits of its sender. Confirms the deposit first if
 * that has not happened yet.
 */
export function finalizedArrival(
  { hits, now }: { readonly hits: readonly AddressHit[]; readonly now: string },
  state: Deposit,
): DepositEvent[] {
  if (state.status === 'none' || !state.facts.arrival) return [];
  const { depositId } = state.facts;
  const finalized = new DepositFinalized({ depositId, finalizedAt: now, ...(hits.length === 0 ? {} : { hits }) });
  if (state.status === 'created') return [...confirmedArrival(now, state), finalized];
  return state.status === 'confirmed' && awaitsFinality(state) ? [finalized] : [];
}

/** The tokens stay in the wallet and are in no balance: nothing is returned to a sanctioned sender. */
export function refusedSender(now: string, state: Deposit): DepositEvent[] {
  if (state.status !== 'confirmed' || state.hits === undefined) return [];
  return [voidedDeposit(state.status, state.facts, { reason: 'compliance', returnId: null, now })];
}

/** Voids an arrival whose block was replaced. An arrival in a final block is never voided. */
export function voidedArrival(now: string, state: Deposit): DepositEvent[] {
  const isOpen =
    (state.status === 'created' && state.facts.arrival !== undefined) ||
    (state.status === 'confirmed' && awaitsFinality(state));
  if (state.status === 'none' || !isOpen) return [];
  return [voidedDeposit(state.status, state.facts, { reason: 'reorged', returnId: null, now })];
}
