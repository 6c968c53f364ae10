import type { AccountStanding, Failure } from '@ponte/contracts';
import { GetAccountStanding, GetDeposit, stoppingReasonsOf } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { PAYMENT_TAKEN_BACK } from '../order/order-failures.domain';
import { step } from '../order/order-ids.domain';
import type { Order, OrderTerms } from '../order/order.state';

export type ProcessingOrder = Extract<Order, { status: 'processing' }>;

export const standingOf = (
  bus: Pick<MessageBus, 'request'>,
  accountId: string,
  context: RequestContext,
): Promise<AccountStanding | null> =>
  bus.request(GetAccountStanding, { accountId }, step(context, 'get-standing', accountId));

/** Whether the bank took back the payment that pays an order. */
export async function isDepositTakenBack(
  bus: Pick<MessageBus, 'request'>,
  { orderId, accountId }: OrderTerms,
  depositId: string,
  context: RequestContext,
): Promise<boolean> {
  const deposit = await bus.request(GetDeposit, { accountId, depositId }, step(context, 'get-deposit', orderId));
  return (deposit ?? behindEvent(`deposit ${depositId}`, 'absent')).voidReason === 'taken-back';
}

/**
 * Whether an order of a frozen account must not be rolled back yet, because its payment by Pix code would be returned
 * to the payer, although money of the account must not leave it. Nothing is returned if the bank took it back.
 */
export async function isPaymentBlocked(
  bus: Pick<MessageBus, 'request'>,
  { terms, depositId }: ProcessingOrder,
  failure: Failure,
  context: RequestContext,
): Promise<boolean> {
  const { accountId, funding } = terms;
  if (funding.kind !== 'brcode' || failure.code === PAYMENT_TAKEN_BACK.code) return false;
  const standing = await standingOf(bus, accountId, context);
  if (!standing || stoppingReasonsOf(standing).length === 0) return false;
  return depositId === null || !(await isDepositTakenBack(bus, terms, depositId, context));
}
