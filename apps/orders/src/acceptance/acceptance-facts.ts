import { Inject, Injectable } from '@nestjs/common';
import type {
  AccountRecord,
  PixDelivery,
  PlaceOrderPayload,
  QuoteRecord,
  ResolvedPixKey,
  Timestamp,
  WalletRelation,
} from '@ponte/contracts';
import { CheckQuoteFor, GetAccount, GetQuote, ResolvePixKey, ResolveWallet } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { AssetId, Violation } from '@ponte/kernel';
import { Refusal, assetOf, parseEvmAddress, refuseAll } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import { firstViolations, furtherViolations, isUsable } from './acceptance.domain';
import { rulesOf } from './pairs.domain';
import type { OrderTerms } from '../order/order.state';
import { refuseAccepted } from '../order/order.errors';
import { ExternalIds } from '../order/external-ids';

export interface AcceptanceFacts {
  readonly quote: QuoteRecord;
  readonly account: AccountRecord;
  readonly wallet: WalletRelation | null;
  readonly sourceWallet: WalletRelation | null;
  /** Null unless the BRL goes to a Pix key. */
  readonly pixDelivery: PixDelivery | null;
}

/**
 * What an acceptance rests on, asked for again at each attempt: a quote, an account or a wallet may have changed in
 * between.
 */
@Injectable()
export class GatherAcceptanceFacts {
  constructor(
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    private readonly externalIds: ExternalIds,
  ) {}

  /**
   * Refuses with every violation that can be known at once, in rule order; a quote that was accepted before, with that
   * alone. `accepted` is the order that has it, as far as the caller may read it.
   */
  async of(
    request: PlaceOrderPayload,
    { orderId, at, accepted }: { readonly orderId: string; readonly at: Timestamp; readonly accepted?: OrderTerms },
    context: RequestContext,
  ): Promise<AcceptanceFacts> {
    const [quote, account, externalIdUsed] = await Promise.all([
      this.bus.request(GetQuote, { quoteId: request.quoteId }, context),
      this.bus.request(GetAccount, { accountId: request.accountId }, context),
      this.externalIds.isUsed(request, orderId, at),
    ]);
    const violations = firstViolations(request, { at, quote, account });
    // Nothing is disclosed about a quote that the caller may not use.
    const usable = quote && isUsable(quote, request, account) ? quote : null;
    if (!usable) throw new Refusal(violations);
    if (accepted) refuseAccepted(accepted, request.callerAccountId);
    const { accountId, sourceWalletAddress, targetWalletAddress } = request;
    const [wallet, sourceWallet, pixKey, lacks] = await Promise.all([
      this.wallet(accountId, usable.targetAsset, targetWalletAddress, context),
      this.wallet(accountId, usable.sourceAsset, sourceWalletAddress, context),
      this.pixKey(request, usable, context),
      this.lacking(request, usable, context),
    ]);
    const known = new Set(violations.map((violation) => violation.code));
    const quoteViolations = lacks.filter((violation) => !known.has(violation.code));
    refuseAll([
      ...violations,
      ...furtherViolations(request, usable, { wallet, sourceWallet, pixKey, quoteViolations, externalIdUsed }),
    ]);
    if (!account) throw new Error('an acceptance without violations has an account');
    return { quote: usable, account, wallet, sourceWallet, pixDelivery: pixKey?.ownedByHolder ? pixKey.target : null };
  }

  private async wallet(
    accountId: string,
    asset: AssetId,
    address: string | null,
    context: RequestContext,
  ): Promise<WalletRelation | null> {
    const { chain } = assetOf(asset);
    if (chain === undefined) return null;
    if (address === null) return this.bus.request(ResolveWallet, { accountId, chain, address: null }, context);
    const parsed = parseEvmAddress(address);
    return parsed.ok ? this.bus.request(ResolveWallet, { accountId, chain, address: parsed.address }, context) : null;
  }

  private async pixKey(
    { accountId, targetEndUserPixKey: key }: PlaceOrderPayload,
    { sourceAsset, targetAsset }: QuoteRecord,
    context: RequestContext,
  ): Promise<ResolvedPixKey | null> {
    if (key === null || !rulesOf(sourceAsset, targetAsset).pixKey) return null;
    return this.bus.request(ResolvePixKey, { accountId, key }, context);
  }

  /** A quote that its account made for itself was judged for it when it was issued. */
  private async lacking(
    request: PlaceOrderPayload,
    quote: QuoteRecord,
    context: RequestContext,
  ): Promise<readonly Violation[]> {
    if (quote.accountId === request.accountId) return [];
    try {
      await this.bus.request(CheckQuoteFor, { quoteId: quote.quoteId, accountId: request.accountId }, context);
      return [];
    } catch (error) {
      if (error instanceof Refusal) return error.violations;
      throw error;
    }
  }
}
