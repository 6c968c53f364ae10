import { Inject, Injectable } from '@nestjs/common';
import type { AccountRecord, PixDelivery, PlaceOrderPayload, QuoteRecord, ResolvedPixKey, Timestamp, WalletRelation } from '@ponte/contracts';
import { CheckQuoteFor, GetAccount, GetQuote, ResolvePixKey, ResolveWallet } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { AssetId, Fault } from '@ponte/kernel';
import { Refusal, assetOf, parseEvmAddress, refuseAll } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import { firstFaults, furtherFaults, isUsable } from '../domain/acceptance/acceptance';
import { rulesOf } from '../domain/acceptance/pairs';
import { ExternalIds } from './external-ids';

export interface AcceptanceFacts {
  readonly quote: QuoteRecord;
  readonly account: AccountRecord;
  readonly wallet: WalletRelation | null;
  readonly sourceWallet: WalletRelation | null;
  /** Null unless the BRL goes to a Pix key. */
  readonly pixDelivery: PixDelivery | null;
}

/** What an acceptance rests on, asked for again at each attempt: a quote, an account or a wallet may have changed in between. */
@Injectable()
export class GatherAcceptanceFacts {
  constructor(@Inject(MESSAGE_BUS) private readonly bus: MessageBus, private readonly externalIds: ExternalIds) {}

  /** Refuses with every fault that can be known at once, in rule order. */
  async of(wish: PlaceOrderPayload, orderId: string, at: Timestamp, context: RequestContext): Promise<AcceptanceFacts> {
    const [quote, account, externalIdUsed] = await Promise.all([
      this.bus.request(GetQuote, { quoteId: wish.quoteId }, context),
      this.bus.request(GetAccount, { accountId: wish.accountId }, context),
      this.externalIds.isUsed(wish, orderId, at),
    ]);
    const faults = firstFaults(wish, { at, quote, account });
    // Nothing is told of a quote that is not the caller's to use.
    const usable = quote && isUsable(quote, wish, account) ? quote : null;
    if (!usable) throw new Refusal(faults);
    const { accountId, sourceWalletAddress, targetWalletAddress } = wish;
    const [wallet, sourceWallet, pixKey, lacks] = await Promise.all([
      this.wallet(accountId, usable.targetAsset, targetWalletAddress, context),
      this.wallet(accountId, usable.sourceAsset, sourceWalletAddress, context),
      this.pixKey(wish, usable, context),
      this.lacking(wish, usable, context),
    ]);
    const known = new Set(faults.map((fault) => fault.code));
    const quoteFaults = lacks.filter((fault) => !known.has(fault.code));
    refuseAll([...faults, ...furtherFaults(wish, usable, { wallet, sourceWallet, pixKey, quoteFaults, externalIdUsed })]);
    if (!account) throw new Error('an acceptance without violations has an account');
    return { quote: usable, account, wallet, sourceWallet, pixDelivery: pixKey?.ownedByHolder ? pixKey.target : null };
  }

  private async wallet(
    accountId: string, asset: AssetId, address: string | null, context: RequestContext,
  ): Promise<WalletRelation | null> {
    const { chain } = assetOf(asset);
    if (chain === undefined) return null;
    if (address === null) return this.bus.request(ResolveWallet, { accountId, chain, address: null }, context);
    const parsed = parseEvmAddress(address);
    return parsed.ok ? this.bus.request(ResolveWallet, { accountId, chain, address: parsed.address }, context) : null;
  }

  private async pixKey(
    { accountId, targetEndUserPixKey: key }: PlaceOrderPayload, { sourceAsset, targetAsset }: QuoteRecord, context: RequestContext,
  ): Promise<ResolvedPixKey | null> {
    if (key === null || !rulesOf(sourceAsset, targetAsset).pixKey) return null;
    return this.bus.request(ResolvePixKey, { accountId, key }, context);
  }

  /** A quote that its account made for itself was judged for it when it was issued. */
  private async lacking(wish: PlaceOrderPayload, quote: QuoteRecord, context: RequestContext): Promise<readonly Fault[]> {
    if (quote.accountId === wish.accountId) return [];
    try {
      await this.bus.request(CheckQuoteFor, { quoteId: quote.quoteId, accountId: wish.accountId }, context);
      return [];
    } catch (error) {
      if (error instanceof Refusal) return error.faults;
      throw error;
    }
  }
}
