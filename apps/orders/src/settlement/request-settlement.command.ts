import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { RefusedReason, ScreeningOutcome, SettlementPayload } from '@ponte/contracts';
import { GetAccount, GetBalance, GetSettlement, RequestSettlement, ScreenAddress } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { behindEvent, logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Money, Refusal, assetOf, isToken } from '@ponte/kernel';
import { CLOCK, LOGGER, MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import type { Logger } from 'pino';
import { settlementIdOf, step } from '../order/order-ids.domain';
import { TARGET_REFUSED } from '../order/order-failures.domain';
import type { OrderTerms } from '../order/order.state';
import { needsScreening } from '../order/order.state';
import { FailOrderCommand } from '../order/fail-order.command';
import { Orders } from '../order/orders.repository';
import type { ProcessingOrder } from './blocked-money';
import { isDepositTakenBack } from './blocked-money';
import { EndUnsignedOrderCommand } from './end-unsigned-order.command';
import { failureIn } from './settlements.domain';

/**
 * Requests the settlement of a processing order from movements. A repeated request names the same settlement. `again`:
 * an earlier one may have failed while the order could not; then it fails now.
 */
export class RequestSettlementCommand extends PayloadCommand<{ readonly orderId: string; readonly again?: true }> {}

/** How long the settlement of a processing order may be refused, ms. */
const MAX_REFUSED_MS = 15 * 60_000;
/** After how long without another refusal the first one is forgotten, ms. */
const FORGET_REFUSAL_MS = 30 * 60_000;

@CommandHandler(RequestSettlementCommand)
export class RequestSettlementHandler implements ICommandHandler<RequestSettlementCommand> {
  /** When this process first and last saw the settlement of an order refused, by order. */
  private readonly refusals = new Map<string, { readonly first: number; readonly last: number }>();

  constructor(
    private readonly orders: Orders,
    private readonly commands: CommandBus,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({ payload: { orderId, again }, context }: RequestSettlementCommand): Promise<void> {
    const state = await this.orders.load(orderId, ({ status }) => status === 'processing');
    switch (state.status) {
      case 'processing': {
        if (state.settled || (again && (await this.hasFailed(state, context)))) return;
        return this.request(state, context);
      }
      // The settlement of an order that has ended was requested before, and has ended too.
      case 'completed':
      case 'rolled-back':
        return;
      case 'absent':
      case 'abandoned':
      case 'created':
        return behindEvent(`order ${orderId}`, state.status);
    }
  }

  /** Fails the order if its settlement has failed. */
  private async hasFailed({ terms }: ProcessingOrder, context: RequestContext): Promise<boolean> {
    const { orderId, settlement: kind } = terms;
    const asked = { settlementId: settlementIdOf(orderId), kind };
    const failure = failureIn(await this.bus.request(GetSettlement, asked, step(context, 'get-settlement', orderId)));
    if (failure) await this.commands.execute(new FailOrderCommand({ orderId, failure }, context));
    return failure !== null;
  }

  private async request(state: ProcessingOrder, context: RequestContext): Promise<void> {
    const { terms, screened } = state;
    const { orderId, accountId } = terms;
    const account = await this.bus.request(GetAccount, { accountId }, step(context, 'get-account', orderId));
    // No account is opened again. An earlier run may have requested the settlement before the account was closed.
    if (account?.status === 'closed') return this.endUnsigned(orderId, 'account-not-active', context);
    const isFrozen = account?.status === 'frozen';
    // The wallet first, so that a refused one ends the order even while its account is frozen.
    const outcome = screened?.outcome ?? (await this.screen(terms, isFrozen, context));
    // The policy on `AddressReviewed` continues.
    if (outcome === 'waits') return;
    if (outcome === 'refused') {
      await this.commands.execute(new FailOrderCommand({ orderId, failure: TARGET_REFUSED }, context));
      return;
    }
    // Also while the account is frozen: at its release, an earlier request may be signed before this is checked.
    if (await this.isTakenBack(state, context)) return this.endUnsigned(orderId, 'payment-taken-back', context);
    // Nothing is signed for a frozen account. The order keeps its state until the account's release requests the
    // settlement.
    if (isFrozen) return;
    // A wallet that an earlier run found clear may be on a list by now: movements screens it again before it signs.
    const settlement = { ...settlementOf(terms), ...(screened === null ? {} : { screenedAt: screened.at }) };
    await this.requestOrEnd(settlement, context);
  }

  /**
   * Ends the order if its token has no contract on its chain. Not at once: during a rollout, replicas of movements may
   * have different deployments. Until then, the sweep requests the settlement again.
   */
  private async requestOrEnd(settlement: SettlementPayload, context: RequestContext): Promise<void> {
    const { orderId } = settlement;
    try {
      await this.bus.request(RequestSettlement, settlement, step(context, 'request-settlement', orderId));
      this.refusals.delete(orderId);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'asset-not-supported') throw error;
      const fields = { orderId, code: error.code, reason: error.message };
      if (this.refusedFor(orderId) < MAX_REFUSED_MS) {
        this.logger.warn(
          { ...logged(context), ...fields },
          'movements refuses the settlement of an order; it is requested again',
        );
        return;
      }
      this.logger.error(
        { ...logged(context), ...fields },
        'movements refuses the settlement of an accepted order, which is rolled back',
      );
      await this.endUnsigned(orderId, 'refused', context);
    }
  }

  /** For how long this process has seen refusals of the settlement, ms. */
  private refusedFor(orderId: string): number {
    const now = this.clock.now();
    for (const [id, { last }] of this.refusals) if (now - last > FORGET_REFUSAL_MS) this.refusals.delete(id);
    const first = this.refusals.get(orderId)?.first ?? now;
    this.refusals.set(orderId, { first, last: now });
    return now - first;
  }

  private async endUnsigned(orderId: string, reason: RefusedReason, context: RequestContext): Promise<void> {
    await this.commands.execute(new EndUnsignedOrderCommand({ orderId, reason }, context));
  }

  /**
   * Whether the bank took back what pays the order. The event of the deposit can be read before the order names the
   * payment. A balance is negative beside its holds only after the bank took a payment back: then the order may be one
   * of those that it no longer covers.
   */
  private async isTakenBack({ terms, depositId }: ProcessingOrder, context: RequestContext): Promise<boolean> {
    const { orderId, accountId, sourceAsset: asset } = terms;
    if (depositId !== null) return isDepositTakenBack(this.bus, terms, depositId, context);
    const reading = step(context, 'get-balance', orderId);
    const { available } = await this.bus.request(GetBalance, { accountId, assets: [asset] }, reading);
    return Money.stored(asset, available).minor < 0n;
  }

  /**
   * Whether tokens may be sent to the order's wallet. The outcome is recorded in the order's stream before anything is
   * requested: if concurrent runs get different outcomes, all use the one recorded first. While the account is frozen,
   * only a refusal is recorded: the wallet is screened again after the release.
   */
  private async screen(terms: OrderTerms, isFrozen: boolean, context: RequestContext): Promise<ScreeningOutcome> {
    const { orderId, accountId, target, targetAsset: asset, targetAmount: amount } = terms;
    if (!needsScreening(terms) || !target) return 'clear';
    const subject = { kind: 'order', id: orderId } as const;
    const { outcome } = await this.bus.request(
      ScreenAddress,
      { subject, accountId, address: target.address, chain: assetOf(asset).chain ?? null, asset, amount },
      step(context, 'screen-target', orderId, context.commandId),
    );
    if (outcome === 'waits' || (isFrozen && outcome === 'clear')) return outcome;
    const noted = await this.orders.execute(
      orderId,
      (at) => ({ kind: 'note-screening', outcome, at }),
      step(context, 'note-screening', orderId, outcome),
    );
    return noted.status === 'processing' ? (noted.screened?.outcome ?? 'waits') : 'waits';
  }
}

function settlementOf(terms: OrderTerms): SettlementPayload {
  const {
    orderId,
    accountId,
    sourceAsset,
    sourceAmount,
    targetAsset,
    targetAmount,
    sourceWalletAddress,
    target,
    settlement: kind,
  } = terms;
  const common = { settlementId: settlementIdOf(orderId), orderId, accountId, kind };
  if (isToken(targetAsset)) {
    if (!target) throw new Error(`order ${orderId} buys a token and has no target wallet`);
    return { ...common, asset: targetAsset, amount: targetAmount, wallet: target.address, brlAmount: sourceAmount };
  }
  if (sourceWalletAddress === null) throw new Error(`order ${orderId} sells a token and has no source wallet`);
  return { ...common, asset: sourceAsset, amount: sourceAmount, wallet: sourceWalletAddress, brlAmount: targetAmount };
}
