import { Inject, Injectable } from '@nestjs/common';
import type { Funding, PaymentMethod, QuoteRecord, Timestamp } from '@ponte/contracts';
import { OpenPixCharge, PlaceHold } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { Refusal } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import { brcodeExpiration } from '../domain/acceptance/brcode-expiration';
import { FundingAbandoned } from '../domain/order/order.refusals';
import { ORDERS_CONFIG } from '../ports/orders-settings';
import type { OrdersSettings } from '../ports/orders-settings';
import { step } from './steps';

export interface FundingWish {
  readonly kind: PaymentMethod;
  readonly fundingId: string;
  readonly orderId: string;
  readonly accountId: string;
  readonly quote: QuoteRecord;
  readonly at: Timestamp;
}

/** Takes what will pay for the order before the order is placed, under an id that a retry finds again. */
@Injectable()
export class TakeFunding {
  constructor(
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(ORDERS_CONFIG) private readonly settings: OrdersSettings,
  ) {}

  /** Refuses `insufficient-balance`; throws `FundingAbandoned` when it was given up in the meantime, and `Unavailable` when ledger or bank does not answer, and what it took is then swept. */
  take(wish: FundingWish, context: RequestContext): Promise<Funding> {
    switch (wish.kind) {
      case 'account-balance': return this.hold(wish, context);
      case 'brcode': return this.charge(wish, context);
    }
  }

  private async hold({ fundingId, orderId, accountId, quote }: FundingWish, context: RequestContext): Promise<Funding> {
    const hold = { holdId: fundingId, owner: { kind: 'order', id: orderId }, asset: quote.sourceAsset, amount: quote.sourceAmount } as const;
    await this.bus.request(PlaceHold, { accountId, hold }, step(context, 'place-hold', fundingId));
    return { kind: 'account-balance', holdId: fundingId };
  }

  private async charge({ fundingId, orderId, accountId, quote, at }: FundingWish, context: RequestContext): Promise<Funding> {
    const expiration = brcodeExpiration(quote, at, this.settings);
    const asked = { txid: fundingId, accountId, orderId, amount: quote.sourceAmount, expiration };
    try {
      // A retry gets the charge that the first try opened, with its expiration.
      const { brcode, expiration } = await this.bus.request(OpenPixCharge, asked, step(context, 'open-charge', fundingId));
      return { kind: 'brcode', txid: fundingId, brcode, expiration };
    } catch (error) {
      if (error instanceof Refusal && error.code === 'charge-closed') throw new FundingAbandoned(fundingId);
      throw error;
    }
  }
}
