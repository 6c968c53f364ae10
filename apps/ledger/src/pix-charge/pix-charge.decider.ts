import type { ChargeOutcome, DecimalText, PixChargeEvent } from '@ponte/contracts';
import {
  PIX_CHARGE_EVENTS,
  PixChargeClosed,
  PixChargeOpened,
  PixChargePaid,
  PixChargeMispaid,
  PixChargePaymentAccepted,
  PixChargePaymentRefused,
  PixChargeRequested,
} from '@ponte/contracts';
import type { Decider, StateMachine } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';

export type ChargeFacts = PixChargeRequested['data'];
type ChargeStatus = 'requested' | 'open' | 'accepted' | 'paid' | 'mispaid' | 'closed';
type WrongReason = PixChargeMispaid['data']['reason'];
type RefusedReason = PixChargePaymentRefused['data']['reason'];

/** The decision on a payment of this charge. Recorded once, so that every retry of the deposit sees the same one. */
type PaymentDecision =
  | { readonly accepted: true; readonly holdId: string; readonly settledAt: string }
  | { readonly accepted: false; readonly reason: WrongReason | RefusedReason };

export type PixCharge =
  | { readonly status: 'none' }
  | {
      readonly status: ChargeStatus;
      readonly facts: ChargeFacts;
      /** Null until the bank has opened the charge. */
      readonly brcode: string | null;
      /** Decisions by deposit id. */
      readonly decisions: Readonly<Record<string, PaymentDecision>>;
      /** The deposit that decided the outcome of the charge. */
      readonly spentBy: string | null;
    };

/** A payment as the bank reports it. An unnamed payer matches no account. */
export interface ChargePayment {
  readonly depositId: string;
  readonly amount: DecimalText;
  readonly payerTaxIdFingerprint: string;
  readonly settledAt: string;
}

/** `now` is the single clock reading for the decision. */
export type PixChargeCommand =
  | { readonly kind: 'request'; readonly facts: ChargeFacts }
  | { readonly kind: 'note-opened'; readonly brcode: string; readonly now: string }
  | { readonly kind: 'validate-payment'; readonly payment: ChargePayment; readonly accountOpen: boolean }
  /** The accepted payment has been posted and held. */
  | { readonly kind: 'note-held'; readonly depositId: string }
  /** The bank has closed the charge and was read afterwards. */
  | { readonly kind: 'close'; readonly now: string }
  /**
   * The bank has taken the payment back. One that is not validated yet is refused. One that is held for its order stays
   * the order's affair.
   */
  | { readonly kind: 'note-taken-back'; readonly depositId: string; readonly now: string };

/**
 * Payment and close compete for this one stream: an accepted payment ends the charge as paid, unless the bank takes it
 * back before it is held.
 */
const pixChargeMachine: StateMachine<ChargeStatus> = {
  requested: ['open', 'accepted', 'mispaid', 'closed'],
  open: ['accepted', 'mispaid', 'closed'],
  accepted: ['paid', 'closed'],
  paid: [],
  mispaid: [],
  closed: [],
};

export const paymentHoldId = (depositId: string): string => derivedId('hold', 'payment', depositId);

/** Stream `pixCharge-<txid>`: a one-time charge at the bank. */
export const pixCharge: Decider<PixChargeCommand, PixCharge, PixChargeEvent> = {
  category: 'pixCharge',
  continuesTrace: true,
  initial: { status: 'none' },
  events: PIX_CHARGE_EVENTS,
  decide(command, state) {
    if (command.kind === 'request') return state.status === 'none' ? [new PixChargeRequested(command.facts)] : [];
    if (state.status === 'none') return [];
    const { txid, orderId, accountId } = state.facts;
    switch (command.kind) {
      case 'note-opened':
        return state.status === 'requested'
          ? [new PixChargeOpened({ txid, brcode: command.brcode, openedAt: command.now })]
          : [];
      case 'validate-payment':
        return state.decisions[command.payment.depositId]
          ? []
          : [validated(state, command.payment, command.accountOpen)];
      case 'note-held': {
        const decision = state.decisions[command.depositId];
        if (state.status !== 'accepted' || !decision?.accepted) return [];
        assertMove(pixChargeMachine, state.status, 'paid');
        const { holdId, settledAt } = decision;
        return [new PixChargePaid({ txid, orderId, accountId, depositId: command.depositId, holdId, settledAt })];
      }
      case 'close':
      case 'note-taken-back': {
        const { status, spentBy, decisions } = state;
        const isUnpaid = status === 'requested' || status === 'open';
        if (command.kind === 'note-taken-back' && isUnpaid && !decisions[command.depositId])
          return [new PixChargePaymentRefused({ txid, depositId: command.depositId, reason: 'taken-back' })];
        const isLost = status === 'accepted' && command.kind !== 'close' && spentBy === command.depositId;
        if (command.kind === 'close' ? !isUnpaid : !isLost) return [];
        assertMove(pixChargeMachine, status, 'closed');
        return [new PixChargeClosed({ txid, orderId, accountId, closedAt: command.now })];
      }
    }
  },
  evolve(state, event) {
    if (event.type === 'PixChargeRequested')
      return { status: 'requested', facts: event.data, brcode: null, decisions: {}, spentBy: null };
    if (state.status === 'none') throw new Error('the stream of a charge is damaged');
    switch (event.type) {
      case 'PixChargeOpened':
        return { ...state, status: 'open', brcode: event.data.brcode };
      case 'PixChargePaymentAccepted': {
        const { depositId, holdId, settledAt } = event.data;
        return {
          ...state,
          status: 'accepted',
          spentBy: depositId,
          decisions: { ...state.decisions, [depositId]: { accepted: true, holdId, settledAt } },
        };
      }
      case 'PixChargePaymentRefused':
      case 'PixChargeMispaid': {
        const { depositId, reason } = event.data;
        const decisions = { ...state.decisions, [depositId]: { accepted: false, reason } as const };
        return event.type === 'PixChargeMispaid'
          ? { ...state, status: 'mispaid', spentBy: depositId, decisions }
          : { ...state, decisions };
      }
      case 'PixChargePaid':
        return { ...state, status: 'paid' };
      case 'PixChargeClosed':
        return { ...state, status: 'closed' };
    }
  },
};

/** The outcome of the charge as other services see it, or null if it does not exist. */
export function outcomeOf(state: PixCharge): ChargeOutcome | null {
  if (state.status === 'none') return null;
  const { status, spentBy, decisions } = state;
  const decision = spentBy === null ? undefined : decisions[spentBy];
  if (status === 'paid' && spentBy !== null && decision?.accepted)
    return { state: 'paid', depositId: spentBy, holdId: decision.holdId };
  if (status === 'mispaid' && spentBy !== null && decision?.accepted === false && isWrong(decision.reason))
    return { state: 'mispaid', depositId: spentBy, reason: decision.reason };
  return { state: status === 'closed' ? 'closed' : 'open' };
}

function validated(
  state: Exclude<PixCharge, { status: 'none' }>,
  payment: ChargePayment,
  accountOpen: boolean,
): PixChargeEvent {
  const { txid, orderId, accountId, expiration } = state.facts;
  const charge = { txid, orderId, accountId };
  const { depositId, settledAt } = payment;
  const refused = (reason: RefusedReason) => new PixChargePaymentRefused({ txid, depositId, reason });
  switch (state.status) {
    case 'accepted':
    case 'paid':
    case 'mispaid':
      return refused('paid-twice');
    case 'closed':
      return refused(settledAt > expiration ? 'paid-late' : 'charge-closed');
    case 'requested':
    case 'open': {
      // A closed account accepts no payment; a frozen account does.
      if (!accountOpen) return refused('account-not-active');
      const reason = wrongReasonOf(state.facts, payment);
      assertMove(pixChargeMachine, state.status, reason ? 'mispaid' : 'accepted');
      return reason
        ? new PixChargeMispaid({ ...charge, depositId, reason })
        : new PixChargePaymentAccepted({ ...charge, depositId, holdId: paymentHoldId(depositId), settledAt });
    }
  }
}

/**
 * The settlement time decides whether a payment is late: a payment that settled in time but was reported late is
 * accepted. Times are UTC strings, which sort in time order.
 */
function wrongReasonOf(facts: ChargeFacts, payment: ChargePayment): WrongReason | undefined {
  if (payment.payerTaxIdFingerprint !== facts.payerTaxIdFingerprint) return 'payer-tax-id-mismatch';
  if (payment.amount !== facts.amount) return 'amount-mismatch';
  return payment.settledAt > facts.expiration ? 'paid-late' : undefined;
}

const isWrong = (reason: WrongReason | RefusedReason): reason is WrongReason =>
  reason === 'payer-tax-id-mismatch' || reason === 'amount-mismatch' || reason === 'paid-late';
