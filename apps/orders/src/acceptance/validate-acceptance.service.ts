import { Inject, Injectable } from '@nestjs/common';
import type { AmountOf, PlaceOrderPayload, QuoteRecord, SourceFunds, Timestamp } from '@ponte/contracts';
import { CheckQuoteFor, GetAccount, GetQuote, ListAccountHolds, ResolvePixKey, ResolveWallet } from '@ponte/contracts';
import type { MessageBus, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import type { Violation } from '@ponte/kernel';
import { Refusal, assetOf, furtherViolationsFrom } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import { firstViolations, furtherViolations, isUsable, rulesOf } from './acceptance.domain';
import { withFunding } from './acceptance-violations.domain';
import type { AcceptanceFacts, Order, OrderTerms } from '../order/order.state';
import { placed } from '../order/order.state';
import { QUOTE_EXPIRED, refuseAccepted, mayRead } from '../order/order.errors';
import { EXTERNAL_ID_USED } from '../order/external-id.decider';
import { settlementIdOf, sourceOf } from '../order/order-ids.domain';
import { ExternalIds } from '../order/external-ids.service';
import type { FundingPlan } from '../funding/reserve-funds.service';
import { ReserveFunds } from '../funding/reserve-funds.service';

/** A valid acceptance, before its funds are reserved. */
interface ValidAcceptance extends AcceptanceFacts {
  readonly plan: FundingPlan;
}

/** Every check of an acceptance that writes nothing. Acceptances and dry runs share it, so they always agree. */
@Injectable()
export class ValidateAcceptance {
  constructor(
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    private readonly externalIds: ExternalIds,
    private readonly funding: ReserveFunds,
  ) {}

  /** `state` is that of the order's stream; `at` is the only clock reading. Refuses as the acceptance would. */
  async validate(
    request: PlaceOrderPayload,
    { orderId, state, at }: { readonly orderId: string; readonly state: Order; readonly at: Timestamp },
    context: RequestContext,
  ): Promise<ValidAcceptance> {
    const { accountId, callerAccountId, sourcePaymentMethod } = request;
    const existing = placed(state);
    const accepted = existing && mayRead(existing.terms, callerAccountId) ? existing.terms : undefined;
    if (accepted?.accountId === accountId) refuseAccepted(accepted, callerAccountId);
    // If the caller may not use the quote, answer as if it did not exist, whether it was accepted or not.
    const { sourceFunds, ...facts } = await this.facts(request, { orderId, at, accepted }, context);
    const { quote, sourceWallet } = facts;
    const source = sourceWallet?.kind === 'internal' ? sourceOf(orderId, sourceWallet.walletId) : undefined;
    const fundingRequest = { kind: sourcePaymentMethod, accountId, orderId, quote, at, source, sourceFunds };
    return { ...facts, plan: this.funding.plan(fundingRequest) };
  }

  /**
   * Looks up what an acceptance depends on. This is repeated at each attempt, because a quote, an account or a wallet
   * may have changed in between. Refuses with every violation that can be known at once, in rule order, except that a
   * quote that was accepted before is the only violation. A Pix key is looked up only if nothing else is wrong.
   * `accepted` is the existing order, if the caller may read it.
   */
  private async facts(
    request: PlaceOrderPayload,
    { orderId, at, accepted }: { readonly orderId: string; readonly at: Timestamp; readonly accepted?: OrderTerms },
    context: RequestContext,
  ): Promise<AcceptanceFacts & { readonly sourceFunds?: SourceFunds }> {
    const { accountId } = request;
    const [quote, account, externalIdUsed] = await Promise.all([
      this.bus.request(GetQuote, { quoteId: request.quoteId }, context),
      this.bus.request(GetAccount, { accountId: request.accountId }, context),
      this.externalIds.isUsed(request, orderId, at),
    ]);
    const violations = firstViolations(request, { at, quote, account });
    // Do not disclose anything about a quote that the caller may not use.
    const usable = quote && isUsable(quote, request, account) ? quote : null;
    if (!usable) throw new Refusal([...violations, ...(externalIdUsed ? [EXTERNAL_ID_USED] : [])]);
    if (accepted) refuseAccepted(accepted, request.callerAccountId);
    const { sourceWalletAddress, targetWalletAddress } = request;
    const { sourceAsset, sourceAmount, targetAsset, targetAmount } = usable;
    const pays = { asset: sourceAsset, amount: sourceAmount, movementId: settlementIdOf(orderId) };
    const [target, source, ofQuote] = await Promise.all([
      this.wallet(accountId, { asset: targetAsset, amount: targetAmount }, targetWalletAddress, context),
      this.wallet(accountId, pays, sourceWalletAddress, context),
      this.violationsOfQuote(request, usable, context),
    ]);
    const [wallet, sourceWallet] = [target.relation, source.relation];
    const aboveMaximum = target.aboveMaximum || source.aboveMaximum;
    const lacksContract = [target, source].some((one) => one.lacksContract === true);
    const known = new Set(violations.map((violation) => violation.code));
    const quoteViolations = ofQuote.filter((violation) => !known.has(violation.code));
    const further = {
      ...{ wallet, sourceWallet, sourceLacks: source.lacksTokens },
      ...{ aboveMaximum, lacksContract, quoteViolations, externalIdUsed },
    };
    violations.push(...furtherViolations(request, usable, { ...further, pixKey: 'not-asked' }));
    // A request that is refused anyway must not search the bank's directory.
    const key = violations.length > 0 ? null : keyOf(request, usable);
    if (key !== null) await this.assertCovered(request, usable, { orderId, at }, context);
    const pixKey = key && (await this.bus.request(ResolvePixKey, { accountId, key }, context));
    if (violations.length === 0) violations.push(...furtherViolations(request, usable, { ...further, pixKey }));
    if (violations.length > 0) {
      const ofFunding = await this.fundingViolations(request, usable, { orderId, at, violations }, context);
      throw new Refusal(withFunding(violations, ofFunding));
    }
    if (!account) throw new Error('an acceptance without violations lacks its account');
    const pixDelivery = pixKey?.ownedByHolder ? pixKey.target : null;
    return { quote: usable, account, wallet, sourceWallet, pixDelivery, sourceFunds: source.funds };
  }

  /**
   * Whether the order could be paid, for a request that is refused anyway. Not for an expired quote, because the next
   * quote has other amounts.
   */
  private async fundingViolations(
    { accountId, sourcePaymentMethod: kind }: PlaceOrderPayload,
    quote: QuoteRecord,
    {
      orderId,
      at,
      violations,
    }: { readonly orderId: string; readonly at: Timestamp; readonly violations: readonly Violation[] },
    context: RequestContext,
  ): Promise<readonly Violation[]> {
    if (violations.includes(QUOTE_EXPIRED) || violations.some(({ path }) => path === 'source-payment-method'))
      return [];
    return furtherViolationsFrom(() =>
      this.funding.check(this.funding.plan({ kind, accountId, orderId, quote, at }), context),
    );
  }

  /**
   * The wallet of one side of the quote, and whether its tokens are more than one transaction may move, or than the
   * paying wallet holds, or have no contract. `movementId` is set for the side that pays. Without an address, see
   * `ResolveWallet`.
   */
  private async wallet(
    accountId: string,
    { asset, amount, movementId }: AmountOf & { readonly movementId?: string },
    address: string | null,
    context: RequestContext,
  ): Promise<ReplyOf<typeof ResolveWallet>> {
    const { chain } = assetOf(asset);
    if (chain === undefined) return { relation: null, aboveMaximum: false, lacksTokens: false };
    const pays = movementId === undefined ? {} : { pays: true, movementId };
    return this.bus.request(ResolveWallet, { accountId, chain, address, tokens: { asset, amount }, ...pays }, context);
  }

  /** Refuses an order that the balance does not cover, unless an earlier attempt already holds its funds. */
  private async assertCovered(
    { accountId, sourcePaymentMethod: kind }: PlaceOrderPayload,
    quote: QuoteRecord,
    { orderId, at }: { readonly orderId: string; readonly at: Timestamp },
    context: RequestContext,
  ): Promise<void> {
    try {
      await this.funding.check(this.funding.plan({ kind, accountId, orderId, quote, at }), context);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const holdsRequest = { accountId, asset: quote.sourceAsset };
      const { holds } = await this.bus.request(ListAccountHolds, holdsRequest, context);
      if (!holds.some(({ owner }) => owner.kind === 'order' && owner.id === orderId)) throw error;
    }
  }

  /**
   * The quote's violations on this account now. A quote of this account was checked when it was issued; only a trade
   * reason or a rate lock may since have become unavailable to it, so a quote with neither needs no request to pricing.
   */
  private async violationsOfQuote(
    request: PlaceOrderPayload,
    quote: QuoteRecord,
    context: RequestContext,
  ): Promise<readonly Violation[]> {
    if (quote.accountId === request.accountId && quote.tradeReason === null && quote.rateLock === null) return [];
    try {
      await this.bus.request(CheckQuoteFor, { quoteId: quote.quoteId, accountId: request.accountId }, context);
      return [];
    } catch (error) {
      if (error instanceof Refusal) return error.violations;
      throw error;
    }
  }
}

/** The sealed key that has to be looked up; null without a key, or if its pair takes none. */
function keyOf({ targetEndUserPixKey: key }: PlaceOrderPayload, { sourceAsset, targetAsset }: QuoteRecord) {
  return key === 'invalid' || !rulesOf(sourceAsset, targetAsset).pixKey ? null : key;
}
