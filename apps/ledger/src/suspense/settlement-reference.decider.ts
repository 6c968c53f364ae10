import type { BookedPayment, DepositCreated, SettlementReferenceEvent } from '@ponte/contracts';
import { SETTLEMENT_REFERENCE_EVENTS, SettlementReferenceBooked, SettlementReferenceClaimed } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { derivedId, refuse } from '@ponte/kernel';

/**
 * The form in which bank references are compared. They are typed by hand, so case does not matter, nor do the leading
 * zeros of a control number.
 */
export const comparableReference = (bankReference: string): string =>
  bankReference.toUpperCase().replace(/^0+(?=\d+$)/, '');

/** How the reference of a payment in reais is compared; null for others. Payments in USD are at another bank. */
export const comparableReferenceOf = ({ asset, endToEndId }: DepositCreated['data']): string | null =>
  asset === 'fiat/brl' && endToEndId !== null ? comparableReference(endToEndId) : null;

/** The stream id for a bank reference. */
export const settlementReferenceId = (bankReference: string): string =>
  derivedId('settlement-reference', comparableReference(bankReference));

/** The proposal that a bank reference settles. */
export interface Claim {
  readonly depositId: string;
  readonly proposal: number;
}
interface SettlementReference {
  readonly claim: Claim | null;
  /** The payment of Ponte that has the reference; null if it has none. */
  readonly payment: BookedPayment | null;
}

type ReferenceCommand =
  | {
      readonly kind: 'claim';
      readonly claim: Claim;
      /** An earlier claim whose proposal can never settle its deposit, so the reference is free again. */
      readonly dead: Claim | null;
      readonly now: string;
    }
  | { readonly kind: 'book'; readonly payment: BookedPayment; readonly now: string };

/** Whether both are claims of the same proposal, or neither is a claim. */
const isSameClaim = (one: Claim | null, other: Claim | null): boolean =>
  one?.depositId === other?.depositId && one?.proposal === other?.proposal;

/**
 * Stream `settlementReference-<id>`: a payment at the bank settles at most one deposit, and a payment that Ponte made
 * settles none.
 */
export const settlementReference: Decider<ReferenceCommand, SettlementReference, SettlementReferenceEvent> = {
  category: 'settlementReference',
  initial: { claim: null, payment: null },
  events: SETTLEMENT_REFERENCE_EVENTS,
  decide(command, state) {
    // The payment has left the bank, whatever a settlement says.
    if (command.kind === 'book')
      return state.payment ? [] : [new SettlementReferenceBooked({ payment: command.payment, bookedAt: command.now })];
    const { claim, dead, now } = command;
    if (state.payment) return refuseBookedReference();
    if (isSameClaim(state.claim, claim)) return [];
    if (state.claim !== null && !isSameClaim(state.claim, dead)) return refuseUsedReference();
    return [new SettlementReferenceClaimed({ ...claim, claimedAt: now })];
  },
  evolve(state, event) {
    if (event.type === 'SettlementReferenceBooked') return { ...state, payment: event.data.payment };
    const { depositId, proposal } = event.data;
    return { ...state, claim: { depositId, proposal } };
  },
};

export const refuseUsedReference = (): never =>
  refuse(
    'bank-reference-already-used',
    'another payment has already been settled with this bank reference',
    'bank-reference',
  );

export const refuseBookedReference = (): never =>
  refuse(
    'bank-reference-booked',
    'the bank reference must belong to a payment made outside Ponte; Ponte itself made or received this one',
    'bank-reference',
  );
