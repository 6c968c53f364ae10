import { Inject, Injectable } from '@nestjs/common';
import type {
  DecimalText,
  Funding,
  HoldSource,
  PaymentMethod,
  QuoteRecord,
  SourceFunds,
  Timestamp,
} from '@ponte/contracts';
import { GetBalance, OpenPixCharge, PlaceHold } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { AssetId, Violation } from '@ponte/kernel';
import { Money, Refusal, Unavailable, refuse } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import { brcodeExpiration, isPayable } from '../acceptance/brcode-expiration.domain';
import { FundingAbandoned, SourceTaken } from '../order/order.errors';
import { ORDERS_CONFIG } from '../order/orders-settings.port';
import type { OrdersSettings } from '../order/orders-settings.port';
import { step } from '../order/order-ids.domain';

interface FundingRequest {
  readonly kind: PaymentMethod;
  readonly orderId: string;
  readonly accountId: string;
  readonly quote: QuoteRecord;
  readonly at: Timestamp;
  /** Set if a wallet pays tokens. */
  readonly source?: HoldSource;
  /** Those of that wallet, if they are known. */
  readonly sourceFunds?: SourceFunds;
}

/** How an order would be paid: the amount and asset, and until when a charge can be paid. */
export interface FundingPlan extends Pick<FundingRequest, 'source' | 'sourceFunds'> {
  readonly kind: PaymentMethod;
  readonly orderId: string;
  readonly accountId: string;
  readonly asset: AssetId;
  readonly amount: DecimalText;
  /** Null for a hold, which does not expire. */
  readonly expiration: Timestamp | null;
  /** The clock reading of the acceptance. */
  readonly at: Timestamp;
}

/** The ledger refused the hold because of the wallet, not because of the balance of the account. */
const isOfSource = ({ path }: Violation): boolean => path === 'source-wallet-address';

/** Reserves the funds before the order is placed, under an id that a retry finds again. */
@Injectable()
export class ReserveFunds {
  constructor(
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(ORDERS_CONFIG) private readonly settings: OrdersSettings,
  ) {}

  /** Refuses `brcode-window-too-short`. Sends no request and writes nothing. */
  plan({ kind, orderId, accountId, quote, at, source, sourceFunds }: FundingRequest): FundingPlan {
    const expiration = kind === 'brcode' ? brcodeExpiration(quote, at, this.settings) : null;
    const { sourceAsset: asset, sourceAmount: amount } = quote;
    return { kind, orderId, accountId, asset, amount, expiration, at, source, sourceFunds };
  }

  /**
   * For a dry run: what `reserve` would return, without ids and without a Pix code. Refuses `insufficient-balance` as
   * the ledger would now. Reads the balance only and writes nothing.
   */
  async check({ accountId, asset, amount, expiration }: FundingPlan, context: RequestContext): Promise<Funding> {
    if (expiration !== null) return { kind: 'brcode', txid: '', brcode: '', expiration };
    const { available } = await this.bus.request(GetBalance, { accountId, assets: [asset] }, context);
    // The available balance is negative after the bank took a payment back.
    if (Money.stored(asset, available).compare(Money.stored(asset, amount)) < 0)
      refuse('insufficient-balance', 'the available balance does not cover the amount', 'quote-id');
    return { kind: 'account-balance', holdId: '' };
  }

  /**
   * Refuses `insufficient-balance`. Throws `FundingAbandoned` if the funding was abandoned in the meantime or has to
   * be, `SourceTaken` if another movement got the tokens of the wallet first, and `Unavailable` if the ledger or the
   * bank does not answer; the sweep then releases what was reserved.
   */
  reserve(plan: FundingPlan, fundingId: string, context: RequestContext): Promise<Funding> {
    return plan.expiration === null
      ? this.placeHold(plan, fundingId, context)
      : this.charge({ ...plan, expiration: plan.expiration }, fundingId, context);
  }

  private async placeHold(plan: FundingPlan, fundingId: string, context: RequestContext): Promise<Funding> {
    const { orderId, accountId, asset, amount, source, sourceFunds: funds } = plan;
    const hold = { holdId: fundingId, owner: { kind: 'order', id: orderId }, asset, amount, source } as const;
    try {
      const placed = await this.bus.request(
        PlaceHold,
        { accountId, hold, funds },
        step(context, 'place-hold', fundingId),
      );
      // An earlier attempt placed it for another wallet, which this one could not see. The next attempt may see it.
      if (placed.source && placed.source.walletId !== source?.walletId) throw new Unavailable('service-unavailable');
    } catch (error) {
      if (funds && error instanceof Refusal && error.violations.some(isOfSource)) throw new SourceTaken(error);
      throw error;
    }
    return { kind: 'account-balance', holdId: fundingId };
  }

  private async charge(
    { orderId, accountId, amount, expiration: until, at }: FundingPlan & { readonly expiration: Timestamp },
    fundingId: string,
    context: RequestContext,
  ): Promise<Funding> {
    const chargeRequest = { txid: fundingId, accountId, orderId, amount, expiration: until };
    try {
      const { brcode, expiration } = await this.bus.request(
        OpenPixCharge,
        chargeRequest,
        step(context, 'open-charge', fundingId),
      );
      // A retry gets the charge that the first attempt opened, with its expiration. If too little time is left to pay
      // it, it is closed, a payment of it is returned, and another charge is opened.
      if (expiration !== until && !isPayable(expiration, at, this.settings)) throw new FundingAbandoned(fundingId);
      return { kind: 'brcode', txid: fundingId, brcode, expiration };
    } catch (error) {
      if (error instanceof Refusal && error.code === 'charge-closed') throw new FundingAbandoned(fundingId);
      throw error;
    }
  }
}
