import {
  AcceptanceAbandoned,
  NO_CHARGES,
  OrderCompleted,
  OrderPlaced,
  OrderProcessingStarted,
  OrderRolledBack,
} from '@ponte/contracts';
import type { OrderEvent } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import { NOT_SETTLED } from './order-failures.domain';
import type { OrderCommand } from './order.commands';
import type { OrderTerms } from './order.state';
import { order } from './order.decider';

export const AT = '2026-03-02T12:00:00.000Z';
export const LATER = '2026-03-02T12:00:05.000Z';
export const terms: OrderTerms = {
  orderId: 'order-1',
  quoteId: 'quote-1',
  accountId: 'account-1',
  parentId: 'partner-1',
  createdBy: 'partner-1',
  createdByApiKey: 'ak_test_1',
  externalId: 'ref-1',
  createdAt: AT,
  sourceAsset: 'fiat/brl',
  targetAsset: 'eth-base/brlv',
  sourceAmount: '100.00',
  targetAmount: '100.000000000000000000',
  baseRate: '1.0000000000',
  effectiveRate: '1.0000000000',
  feeAmount: '0.00',
  feeAsset: 'fiat/brl',
  rateLock: null,
  sourceWalletAddress: null,
  charges: NO_CHARGES,
  settlement: 'mint',
  pixDelivery: null,
  target: { address: '0x00000000000000000000000000000000000000aa', custody: true },
  funding: { kind: 'account-balance', holdId: 'hold-1' },
};
export const brcodeTerms: OrderTerms = {
  ...terms,
  funding: { kind: 'brcode', txid: 'txid-1', brcode: '0002…', expiration: '2026-03-02T12:15:00.000Z' },
};
export const place = (
  over: Partial<{ terms: OrderTerms; quoteExpiresAt: string; callerAccountId: string }> = {},
): OrderCommand => ({ kind: 'place', terms, quoteExpiresAt: LATER, callerAccountId: 'account-1', ...over });
export const placedEvent = new OrderPlaced(terms);
export const brcodePlaced = new OrderPlaced(brcodeTerms);
export const abandoned = (fundingId: string) =>
  new AcceptanceAbandoned({ orderId: 'order-1', accountId: 'account-1', fundingId });
export const startedAtOnce = new OrderProcessingStarted({
  orderId: 'order-1',
  accountId: 'account-1',
  startedAt: AT,
  holdId: 'hold-1',
  depositId: null,
});
export const started = new OrderProcessingStarted({
  orderId: 'order-1',
  accountId: 'account-1',
  startedAt: LATER,
  holdId: 'hold-1',
  depositId: null,
});
export const completed = new OrderCompleted({
  orderId: 'order-1',
  accountId: 'account-1',
  createdBy: 'partner-1',
  createdByApiKey: 'ak_test_1',
  sourceAsset: 'fiat/brl',
  targetAsset: 'eth-base/brlv',
  sourceAmount: '100.00',
  targetAmount: '100.000000000000000000',
  effectiveRate: '1.0000000000',
  completedAt: LATER,
  txHash: '0xabc',
  txTimestamp: AT,
  sourceWalletAddress: null,
  targetWalletAddress: terms.target?.address ?? null,
  delivery: null,
});
export const failure = NOT_SETTLED;
export const rolledBack = (previousState: 'created' | 'processing', why = failure) =>
  new OrderRolledBack({ orderId: 'order-1', accountId: 'account-1', rolledBackAt: LATER, previousState, failure: why });
export const start: OrderCommand = { kind: 'start', fundingId: 'hold-1', holdId: 'hold-1', depositId: null, at: LATER };
export const complete: OrderCommand = { kind: 'settle', at: LATER, txHash: '0xabc', txTimestamp: AT };
export const abandon = (fundingId: string): OrderCommand => ({
  kind: 'abandon',
  orderId: 'order-1',
  accountId: 'account-1',
  fundingId,
});
export const rollBack = (from: 'created' | 'processing', fundingId = 'hold-1', why = failure): OrderCommand => ({
  kind: 'roll-back',
  from,
  fundingId,
  at: LATER,
  failure: why,
});
export const given = (...past: OrderEvent[]) => scenario(order).given(...past);
export const refusal = (past: OrderEvent[], command: OrderCommand) =>
  given(...past)
    .when(command)
    .refusal() as Refusal;

export function attempt(past: OrderEvent[], command: OrderCommand): { state: string; next: string | undefined } {
  const { status: state } = given(...past).state();
  try {
    const [event] = order.decide(command, given(...past).state());
    return { state, next: event && order.evolve(given(...past).state(), event).status };
  } catch {
    return { state, next: undefined };
  }
}
