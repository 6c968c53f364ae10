import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Funding, OrderRecord, PlaceOrderPayload, QuoteRecord, Timestamp } from '@ponte/contracts';
import { GetBalance } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { assetOf, isoTime, parseDecimal, refuse, rescaleFloor } from '@ponte/kernel';
import { CLOCK, MESSAGE_BUS } from '@ponte/nest';
import { GatherAcceptanceFacts } from '../commands/acceptance-facts';
import { Orders } from '../commands/orders';
import { termsOf } from '../domain/acceptance/acceptance';
import { brcodeExpiration } from '../domain/acceptance/brcode-expiration';
import { orderIdOf } from '../domain/order/ids';
import { placed } from '../domain/order/order';
import { mayRead, refuseAccepted } from '../domain/order/order.refusals';
import { recordOf } from '../domain/order/record';
import { ORDERS_CONFIG } from '../ports/orders-settings';
import type { OrdersSettings } from '../ports/orders-settings';

/** A dry run of an acceptance: every check of it with the available balance, without a hold, a charge or an event. */
export class CheckAcceptanceQuery extends Query<OrderRecord> {
  constructor(
    readonly payload: PlaceOrderPayload,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@QueryHandler(CheckAcceptanceQuery)
export class CheckAcceptanceHandler implements IQueryHandler<CheckAcceptanceQuery> {
  constructor(
    private readonly orders: Orders,
    private readonly facts: GatherAcceptanceFacts,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ORDERS_CONFIG) private readonly settings: OrdersSettings,
  ) {}

  /** The order that would be placed now, without a BR Code: only a charge has one. Refuses as the acceptance would. */
  async execute({ payload, context }: CheckAcceptanceQuery): Promise<OrderRecord> {
    const at = isoTime(this.clock.now());
    const orderId = orderIdOf(payload.quoteId);
    const existing = placed(await this.orders.load(orderId));
    if (existing && mayRead(existing.terms, payload.callerAccountId))
      refuseAccepted(existing.terms, payload.callerAccountId);
    const { quote, account, wallet, sourceWallet, pixDelivery } = await this.facts.of(payload, orderId, at, context);
    if (payload.sourcePaymentMethod === 'account-balance') await this.checkBalance(payload.accountId, quote, context);
    const terms = termsOf(payload, {
      orderId,
      at,
      quote,
      account,
      wallet,
      sourceWallet,
      pixDelivery,
      funding: this.funding(payload, quote, at),
      createdBy: payload.callerAccountId,
      createdByApiKey: context.actor,
    });
    return { ...recordOf({ status: 'created', terms, since: at }), brcode: null };
  }

  private async checkBalance(
    accountId: string,
    { sourceAsset, sourceAmount }: QuoteRecord,
    context: RequestContext,
  ): Promise<void> {
    const { available } = await this.bus.request(GetBalance, { accountId, assets: [sourceAsset] }, context);
    if (minor(available, sourceAsset) < minor(sourceAmount, sourceAsset))
      refuse('insufficient-balance', 'the available balance does not cover the amount', 'quote-id');
  }

  private funding({ sourcePaymentMethod }: PlaceOrderPayload, quote: QuoteRecord, at: Timestamp): Funding {
    return sourcePaymentMethod === 'brcode'
      ? { kind: 'brcode', txid: '', brcode: '', expiration: brcodeExpiration(quote, at, this.settings) }
      : { kind: 'account-balance', holdId: '' };
  }
}

function minor(text: string, asset: QuoteRecord['sourceAsset']): bigint {
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw new TypeError(`not an amount of ${asset}`);
  return rescaleFloor(decimal, assetOf(asset).scale);
}
