import type { AccountStanding, Failure, FreezeReason } from '@ponte/contracts';
import { GetAccountStanding, STOPPING_REASONS } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { PAYMENT_TAKEN_BACK } from '../order/order-failures.domain';
import { step } from '../order/order-ids.domain';
import type { OrderTerms } from '../order/order.state';

export const standingOf = (
  bus: Pick<MessageBus, 'request'>,
  accountId: string,
  context: RequestContext,
): Promise<AccountStanding | null> =>
  bus.request(GetAccountStanding, { accountId }, step(context, 'get-standing', accountId));

/** The reasons why money of the account must not leave it, which the account is or is to be frozen for. */
export const stoppingReasons = ({ freezes, pending }: AccountStanding): readonly string[] =>
  [...freezes, ...(pending?.step === 'freeze' ? [pending] : [])]
    .map(({ reason }) => reason as FreezeReason)
    .filter((reason) => STOPPING_REASONS.includes(reason));

/**
 * Whether an order of a frozen account must not be rolled back yet, because its payment by Pix code would be returned
 * to the payer, although money of the account must not leave it. Nothing is returned if the bank took it back.
 */
export async function isPaymentBlocked(
  bus: Pick<MessageBus, 'request'>,
  { accountId, funding }: OrderTerms,
  failure: Failure,
  context: RequestContext,
): Promise<boolean> {
  if (funding.kind !== 'brcode' || failure.code === PAYMENT_TAKEN_BACK.code) return false;
  const standing = await standingOf(bus, accountId, context);
  return standing?.account.status === 'frozen' && stoppingReasons(standing).length > 0;
}
