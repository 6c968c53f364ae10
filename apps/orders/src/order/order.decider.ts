import type { Delivery, OrderEvent, OrderState, Timestamp } from '@ponte/contracts';
import {
  AcceptanceAbandoned,
  ORDER_EVENTS,
  OrderCompleted,
  OrderPlaced,
  OrderProcessingStarted,
  OrderRolledBack,
  OrderSettled,
  OrderTargetScreened,
  orderMachine,
} from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import { pick, refuse } from '@ponte/kernel';
import { deliveryHoldIdOf, fundingIdOf, payoutIdOf } from './order-ids.domain';
import { FundingAbandoned, QUOTE_EXPIRED, refuseAccepted } from './order.errors';
import type { Abandon, Deliver, NoteScreening, OrderCommand, Place, RollBack, Settle, Start } from './order.commands';
import type { Order, OrderTerms, PlacedOrder, Settlement } from './order.state';
import {
  abandonedFunding,
  depositIdOf,
  evolve,
  invariantViolated,
  placedOrThrow,
  needsScreening,
  owns,
  placed,
} from './order.state';

/** The order process, from an accepted quote to completed or rolled back. */
export const order: Decider<OrderCommand, Order, OrderEvent> = {
  category: 'order',
  continuesTrace: true,
  initial: { status: 'absent' },
  creation: OrderPlaced,
  events: ORDER_EVENTS,
  decide(command, state) {
    switch (command.kind) {
      case 'place':
        return place(command, state);
      case 'abandon':
        return abandon(command, state);
      case 'start':
        return start(command, state);
      case 'note-screening':
        return noteScreening(command, state);
      case 'settle':
        return settle(command, state);
      case 'deliver':
        return deliver(command, state);
      case 'roll-back':
        return rollBack(command, state);
    }
  },
  evolve,
};

function place({ terms, quoteExpiresAt, callerAccountId }: Place, state: Order): OrderEvent[] {
  const existing = placed(state);
  if (existing) refuseAccepted(existing.terms, callerAccountId);
  // Stored times have one format, so comparing the texts compares the times.
  if (terms.createdAt >= quoteExpiresAt) refuse(QUOTE_EXPIRED.code, QUOTE_EXPIRED.message, QUOTE_EXPIRED.path);
  const fundingId = fundingIdOf(terms.funding);
  if (abandonedFunding(state).has(fundingId)) throw new FundingAbandoned(fundingId);
  return [new OrderPlaced(terms), ...startedAtOnce(terms)];
}

/**
 * With a balance hold the money is certain, so the order is processing as soon as it is placed. A charge has to be paid
 * first.
 */
function startedAtOnce({ orderId, accountId, createdAt: startedAt, funding }: OrderTerms): OrderEvent[] {
  return funding.kind === 'account-balance'
    ? [new OrderProcessingStarted({ orderId, accountId, startedAt, holdId: funding.holdId, depositId: null })]
    : [];
}

function abandon({ orderId, accountId, fundingId }: Abandon, state: Order): OrderEvent[] {
  if (placed(state) || abandonedFunding(state).has(fundingId)) return [];
  return [new AcceptanceAbandoned({ orderId, accountId, fundingId })];
}

/**
 * Ignores a payment that is not for this order's funding, or that comes after the order has moved on. The sender of the
 * command checks the state that is returned.
 */
function start({ fundingId, holdId, depositId, at }: Start, state: Order): OrderEvent[] {
  if (state.status !== 'created' || !owns(state, fundingId)) return [];
  return [
    new OrderProcessingStarted({
      orderId: state.terms.orderId,
      accountId: state.terms.accountId,
      startedAt: moving(state, 'processing', at),
      holdId,
      depositId,
    }),
  ];
}

function noteScreening({ outcome, at }: NoteScreening, state: Order): OrderEvent[] {
  if (state.status !== 'processing' || state.screened !== null || !needsScreening(state.terms)) return [];
  const { orderId, accountId } = state.terms;
  return [new OrderTargetScreened({ orderId, accountId, outcome, screenedAt: at })];
}

function settle({ at, ...settlement }: Settle, state: Order): OrderEvent[] {
  const order = placedOrThrow(state);
  if (order.status === 'completed' || (order.status === 'processing' && order.settled)) return [];
  if (!order.terms.pixDelivery) return [completed(order, settlement, null, at)];
  if (order.status !== 'processing') return invariantViolated('only a processing order can be settled');
  const { orderId, accountId } = order.terms;
  return [
    new OrderSettled({
      orderId,
      accountId,
      settledAt: at,
      txHash: settlement.txHash,
      txTimestamp: settlement.txTimestamp,
      withdrawalId: payoutIdOf(orderId),
      deliveryHoldId: deliveryHoldIdOf(orderId),
    }),
  ];
}

function deliver({ at, delivery }: Deliver, state: Order): OrderEvent[] {
  const order = placedOrThrow(state);
  if (order.status === 'completed') return [];
  if (order.status !== 'processing' || !order.settled)
    return invariantViolated('only a settled order can be delivered');
  return [completed(order, order.settled, delivery, at)];
}

function completed(
  state: PlacedOrder,
  { txHash, txTimestamp }: Settlement,
  delivery: Delivery | null,
  at: Timestamp,
): OrderCompleted {
  const { terms } = state;
  const depositId = depositIdOf(state);
  return new OrderCompleted({
    ...pick(terms, 'orderId', 'accountId', 'createdBy'),
    ...(terms.createdByApiKey === undefined ? {} : { createdByApiKey: terms.createdByApiKey }),
    ...pick(terms, 'sourceAsset', 'targetAsset', 'sourceAmount', 'targetAmount', 'effectiveRate'),
    completedAt: moving(state, 'completed', at),
    txHash,
    txTimestamp,
    sourceWalletAddress: terms.sourceWalletAddress,
    targetWalletAddress: terms.target?.address ?? null,
    delivery,
    ...(depositId === null ? {} : { depositId }),
    ...(terms.pixDelivery === null ? {} : { withdrawalId: payoutIdOf(terms.orderId) }),
  });
}

function rollBack({ from, fundingId, at, failure, depositId: refused }: RollBack, state: Order): OrderEvent[] {
  const existing = placed(state);
  if (!existing || !owns(existing, fundingId) || existing.status === 'rolled-back') return [];
  if (from === 'created' && existing.status !== 'created') return [];
  if (existing.status === 'processing' && existing.settled)
    return invariantViolated('a settled order cannot be rolled back');
  const { orderId, accountId } = existing.terms;
  const rolledBackAt = moving(existing, 'rolled-back', at);
  const depositId = refused ?? depositIdOf(existing);
  return [
    new OrderRolledBack({
      ...{ orderId, accountId, rolledBackAt, previousState: from, failure },
      ...(depositId === null ? {} : { depositId }),
    }),
  ];
}

/** Returns `at` if the state machine allows the move; throws otherwise, because that is a defect of ours. */
function moving(state: { readonly status: OrderState }, to: OrderState, at: Timestamp): Timestamp {
  assertMove(orderMachine, state.status, to);
  return at;
}
