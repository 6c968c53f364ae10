import { Injectable } from '@nestjs/common';
import type { PlaceOrderPayload, Timestamp } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import type { AcceptanceFacts } from './acceptance-facts';
import { GatherAcceptanceFacts } from './acceptance-facts';
import type { FundingPlan } from '../funding/reserve-funds';
import { ReserveFunds } from '../funding/reserve-funds';
import type { Order } from '../order/order.state';
import { placed } from '../order/order.state';
import { mayRead, refuseAccepted } from '../order/order.errors';

/** An acceptance that nothing speaks against, before its funding is taken. */
export interface Judged extends AcceptanceFacts {
  readonly plan: FundingPlan;
}

/** Every check of an acceptance that writes nothing. Acceptances and dry runs both rest on it, so that they agree. */
@Injectable()
export class JudgeAcceptance {
  constructor(
    private readonly facts: GatherAcceptanceFacts,
    private readonly funding: ReserveFunds,
  ) {}

  /** `state` is that of the order's stream, `at` the only clock reading. Refuses as the acceptance is refused. */
  async judge(
    payload: PlaceOrderPayload,
    { orderId, state, at }: { readonly orderId: string; readonly state: Order; readonly at: Timestamp },
    context: RequestContext,
  ): Promise<Judged> {
    const { accountId, callerAccountId, sourcePaymentMethod } = payload;
    const existing = placed(state);
    const accepted = existing && mayRead(existing.terms, callerAccountId) ? existing.terms : undefined;
    if (accepted?.accountId === accountId) refuseAccepted(accepted, callerAccountId);
    // To a stranger, and on any account that it is not for, the quote is one that is not there, accepted or not.
    const facts = await this.facts.of(payload, { orderId, at, accepted }, context);
    return {
      ...facts,
      plan: this.funding.plan({ kind: sourcePaymentMethod, accountId, orderId, quote: facts.quote, at }),
    };
  }
}
