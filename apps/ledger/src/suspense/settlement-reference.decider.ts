import { SettlementReferenceClaimed } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { derivedId, refuse } from '@ponte/kernel';

/** The stream id for a bank reference. Case does not matter, because references are typed by hand. */
export const settlementReferenceId = (bankReference: string): string =>
  derivedId('settlement-reference', bankReference.toUpperCase());

/** The proposal that a bank reference settles. */
export interface Claim {
  readonly depositId: string;
  readonly proposal: number;
}
export type SettlementReference = { readonly claim: Claim | null };

export type ReferenceCommand = {
  readonly kind: 'claim';
  readonly claim: Claim;
  /** An earlier claim whose proposal can never settle its deposit, so the reference is free again. */
  readonly dead: Claim | null;
  readonly now: string;
};

export const isSameClaim = (one: Claim | null, other: Claim | null): boolean =>
  one?.depositId === other?.depositId && one?.proposal === other?.proposal;

/** Stream `settlementReference-<id>`: one payment at the bank settles one deposit. */
export const settlementReference: Decider<ReferenceCommand, SettlementReference, SettlementReferenceClaimed> = {
  category: 'settlementReference',
  initial: { claim: null },
  events: [SettlementReferenceClaimed],
  decide({ claim, dead, now }, state) {
    if (isSameClaim(state.claim, claim)) return [];
    if (state.claim !== null && !isSameClaim(state.claim, dead)) return refuseUsedReference();
    return [new SettlementReferenceClaimed({ ...claim, claimedAt: now })];
  },
  evolve(_state, { data: { depositId, proposal } }) {
    return { claim: { depositId, proposal } };
  },
};

export const refuseUsedReference = (): never =>
  refuse('bank-reference-already-used', 'the bank reference has already settled another payment', 'bank-reference');
