import type { AddressHit, DepositEvent, DepositVoidReason } from '@ponte/contracts';
import {
  DepositConfirmed,
  DepositFinalized,
  DepositVoided,
  depositMachine,
  isTokenCoordinates,
} from '@ponte/contracts';
import { assertMove } from '@ponte/event-sourcing';
import type { Deposit } from './deposit.state';
import { awaitsFinality } from './deposit.state';

/** The policies follow the chain's stream in order, so it was created before. */
export function confirmedArrival(now: string, state: Deposit): DepositEvent[] {
  if (state.status !== 'created' || !state.facts.arrival || state.facts.accountId === null) return [];
  assertMove(depositMachine, 'created', 'confirmed');
  return [
    new DepositConfirmed({ depositId: state.facts.depositId, accountId: state.facts.accountId, confirmedAt: now }),
  ];
}

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

/** The tokens stay in the wallet and in no balance: nothing is returned to a sanctioned sender. */
export function refusedSender(now: string, state: Deposit): DepositEvent[] {
  if (state.status !== 'confirmed' || state.hits === undefined) return [];
  return [voidedTokens('compliance', now, state)];
}

/** Never of a final block: what is final stays. */
export function voidedArrival(now: string, state: Deposit): DepositEvent[] {
  const isOpen =
    (state.status === 'created' && state.facts.arrival !== undefined) ||
    (state.status === 'confirmed' && awaitsFinality(state));
  if (state.status === 'none' || !isOpen) return [];
  return [voidedTokens('reorged', now, state)];
}

/** Nothing of it was posted, and nothing goes back. */
function voidedTokens(
  reason: DepositVoidReason,
  now: string,
  state: Exclude<Deposit, { status: 'none' }>,
): DepositVoided {
  assertMove(depositMachine, state.status, 'voided');
  const { depositId, accountId, type, asset, amount, orderId, coordinates } = state.facts;
  const voided = { depositId, accountId, voidedAt: now, reason, returnId: null, type, asset, amount, orderId };
  return new DepositVoided(isTokenCoordinates(coordinates) ? { ...voided, tokenCoordinates: coordinates } : voided);
}
