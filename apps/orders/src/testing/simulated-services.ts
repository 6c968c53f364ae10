import type {
  AccountRecord,
  ChainTransactionEvent,
  ChargeOutcome,
  Failure,
  GiveUpReason,
  PayOutOrderPayload,
  PixChargeEvent,
  QuoteRecord,
  ResolvedPixKey,
  ScreeningOutcome,
  WalletRelation,
  WithdrawalEvent,
  WithdrawalRecord,
} from '@ponte/contracts';
import {
  AccountReleased,
  AddressReviewed,
  CheckQuoteFor,
  ClosePixCharge,
  GetAccount,
  GetBalance,
  GetQuote,
  GetSettlement,
  ListOpenHolds,
  ListOverdueCharges,
  OpenPixCharge,
  PixChargeClosed,
  PixChargePaid,
  PixChargeMispaid,
  PlaceHold,
  PostExchange,
  ReleaseHold,
  RequestSettlement,
  ResolvePixKey,
  ResolveWallet,
  ReturnChargePayment,
  ScreenAddress,
  TransactionConfirmed,
  TransactionGivenUp,
  TransactionReverted,
  GetWithdrawal,
  PayOutOrder,
  WithdrawalCompleted,
  WithdrawalRolledBack,
} from '@ponte/contracts';
import type { EventStore, MessageBus, PayloadOf, RequestContext, RequestDefinition } from '@ponte/event-sourcing';
import { streamName, toAppend } from '@ponte/event-sourcing';
import { Money, Unavailable, derivedId, formatDecimal, refuse } from '@ponte/kernel';
import { PIX_TARGET } from './fixtures';

const REFUSED: Failure = { code: 'bank-refused', message: 'refused', retryable: true };

const balanceOf = (centavos: bigint, asOf: string) => {
  const available = formatDecimal(centavos, 2);
  return { running: available, available, held: '0.00', asOf };
};

interface HeldMoney {
  readonly accountId: string;
  readonly orderId: string;
  readonly amount: bigint;
  readonly placedAt: string;
  state: 'open' | 'released' | 'posted';
  readonly isDelivery?: boolean;
}
interface Charge {
  readonly txid: string;
  readonly accountId: string;
  readonly orderId: string;
  readonly amount: bigint;
  readonly expiration: string;
  outcome: ChargeOutcome;
}
interface Payout extends PayOutOrderPayload {
  state: 'created' | 'completed' | 'rolled-back';
}
type Settlement = PayloadOf<typeof RequestSettlement>;
/**
 * What a handler answers, and whether it changed anything: like the real services, only a command that did is
 * remembered by its id.
 */
interface Answer<R> {
  readonly reply: R;
  readonly changed?: boolean;
}

const chargePlaceOf = ({ expiration, txid }: { readonly expiration: string; readonly txid: string }): string =>
  `${expiration} ${txid}`;
const placeOf = ({ placedAt, holdId }: { readonly placedAt: string; readonly holdId: string }): string =>
  `${placedAt} ${holdId}`;

/** Centavos; an amount of BRLV has zeros behind them. */
const brl = (text: string): bigint => Money.stored('fiat/brl', text.replace(/(\.\d\d)0+$/, '$1')).minor;

const ended = ({ settlementId, orderId, accountId }: Settlement) =>
  ({
    transactionId: settlementId,
    chain: 'eth-base',
    purpose: { kind: 'mint', id: settlementId, orderId, accountId },
  }) as const;

/**
 * The services around orders with just enough of their rules: balances that cannot go below zero, holds and charges
 * that are taken once, commands that are carried out once per id, settlements once per id. They outlive every process
 * of orders.
 */
export class SimulatedServices {
  readonly accounts = new Map<string, AccountRecord>();
  readonly quotes = new Map<string, QuoteRecord>();
  /** By account, chain and address; the own wallet under an empty address. */
  readonly wallets = new Map<string, WalletRelation>();
  readonly balances = new Map<string, bigint>();
  readonly tokens = new Map<string, string[]>();
  readonly holds = new Map<string, HeldMoney>();
  readonly charges = new Map<string, Charge>();
  readonly settlements = new Map<string, Settlement>();
  /** Payouts by withdrawal, and how they ended. */
  readonly payouts = new Map<string, Payout>();
  readonly pixKeys = new Map<string, ResolvedPixKey>();
  readonly returned: string[] = [];
  /** What staff decided about the external wallets of orders, and what the list says of all others. */
  readonly screened = new Map<string, ScreeningOutcome>();
  screening: ScreeningOutcome = 'clear';
  /** What else is listed as overdue, and cannot be closed. */
  unclosable: Charge[] = [];
  /** What else is listed as an open hold. */
  listed: ReturnType<SimulatedServices['openHolds']> = [];
  /** Called in front of a request's work; may throw or wait. */
  before: (pattern: string) => Promise<void> | void = () => undefined;
  /** Called when the work is done and before the reply; may throw. */
  after: (pattern: string) => Promise<void> | void = () => undefined;
  private readonly replies = new Map<string, unknown>();

  constructor(
    private readonly store: () => EventStore,
    private readonly now: () => string,
  ) {}

  register(bus: MessageBus): void {
    const answer = <P, R>(
      definition: RequestDefinition<P, R>,
      work: (payload: P) => Answer<R> | Promise<Answer<R>>,
    ): void => {
      bus.handle(definition.pattern, async (payload, { commandId }: RequestContext) => {
        await this.before(definition.pattern);
        const known = `${definition.pattern} ${commandId}`;
        if (definition.kind === 'command' && this.replies.has(known)) return this.replies.get(known);
        const { reply, changed } = await work(payload as P);
        if (changed) this.replies.set(known, reply);
        await this.after(definition.pattern);
        return reply;
      });
    };
    answer(GetAccount, ({ accountId }) => ({ reply: this.accounts.get(accountId) ?? null }));
    answer(GetQuote, ({ quoteId }) => ({ reply: this.quotes.get(quoteId) ?? null }));
    answer(CheckQuoteFor, ({ accountId }) =>
      this.accounts.get(accountId)?.capabilities.includes('rate-lock-1h')
        ? { reply: { ok: true } }
        : refuse('rate-lock-not-enabled', 'no', 'rate-lock'),
    );
    answer(ResolveWallet, ({ accountId, chain, address }) => ({
      reply: this.wallets.get(`${accountId} ${chain} ${address ?? ''}`) ?? null,
    }));
    answer(GetBalance, ({ accountId }) => ({ reply: balanceOf(this.available(accountId), this.now()) }));
    answer(PlaceHold, (payload) => this.placeHold(payload));
    answer(ReleaseHold, ({ holdId }) => {
      const released = this.holds.get(holdId)?.state === 'open';
      if (released) this.end(holdId, 'released');
      return { reply: { released }, changed: released };
    });
    answer(ScreenAddress, ({ subject }) => ({ reply: { outcome: this.screened.get(subject.id) ?? this.screening } }));
    answer(PostExchange, (payload) => this.post(payload));
    answer(OpenPixCharge, ({ amount, ...charge }) => {
      const open = this.charges.get(charge.txid) ?? { ...charge, amount: brl(amount), outcome: { state: 'open' } };
      if (open.outcome.state === 'closed') refuse('charge-closed', 'given up before it was opened');
      this.charges.set(charge.txid, open);
      // Asked again, the charge itself answers, whatever became of it.
      return { reply: { brcode: `000201${charge.txid}`, expiration: open.expiration } };
    });
    answer(ClosePixCharge, async ({ txid }) => {
      if (this.charge(txid).outcome.state === 'open') await this.close(txid);
      return { reply: this.charge(txid).outcome, changed: true };
    });
    answer(ReturnChargePayment, ({ txid }) => {
      const { outcome } = this.charge(txid);
      if (outcome.state !== 'paid') throw new Error('there is no payment to return');
      this.end(outcome.holdId, 'posted');
      this.returned.push(txid);
      return { reply: { depositId: outcome.depositId }, changed: true };
    });
    answer(ListOpenHolds, ({ placedBefore, limit, after }) => ({
      reply: {
        holds: [...this.listed, ...this.openHolds()]
          .filter(({ placedAt, holdId }) => placedAt < placedBefore && !this.isPayment(holdId))
          .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
          .filter((hold) => !after || placeOf(hold) > placeOf(after))
          .slice(0, limit),
      },
    }));
    answer(ListOverdueCharges, ({ expiredBefore, limit, after }) => ({
      reply: {
        charges: [...this.charges.values(), ...this.unclosable]
          .filter((one) => one.outcome.state === 'open' && one.expiration < expiredBefore)
          .sort((a, b) => (chargePlaceOf(a) < chargePlaceOf(b) ? -1 : 1))
          .filter((one) => !after || chargePlaceOf(one) > chargePlaceOf(after))
          .slice(0, limit)
          .map(({ txid, orderId, accountId, expiration }) => ({ txid, orderId, accountId, expiration })),
      },
    }));
    answer(RequestSettlement, (settlement) => {
      const { settlementId } = settlement;
      if (!this.settlements.has(settlementId)) this.settlements.set(settlementId, settlement);
      return { reply: { settlementId }, changed: true };
    });
    answer(ResolvePixKey, ({ key }) => ({ reply: this.pixKeys.get(key) ?? null }));
    answer(PayOutOrder, (payload) => {
      const known = this.payouts.get(payload.withdrawalId);
      if (!known) {
        const hold = this.holds.get(payload.holdId);
        if (hold?.state !== 'open' || hold.amount !== brl(payload.amount)) throw new Error('the payout has no hold');
        this.payouts.set(payload.withdrawalId, { ...payload, state: 'created' });
      }
      return { reply: this.withdrawal(payload.withdrawalId), changed: true };
    });
    answer(GetWithdrawal, ({ withdrawalId }) => ({
      reply: this.payouts.has(withdrawalId) ? this.withdrawal(withdrawalId) : null,
    }));
    answer(GetSettlement, ({ settlementId }) => ({
      reply: this.settlements.has(settlementId) ? { settlementId, state: 'pending' as const } : null,
    }));
  }

  /** The services restart without what they answered before: a command is carried out as if it had never come. */
  forget(): void {
    this.replies.clear();
  }

  openHolds() {
    return [...this.holds]
      .filter(([, hold]) => hold.state === 'open' && !hold.isDelivery)
      .map(([holdId, { accountId, orderId, amount, placedAt }]) => ({
        holdId,
        accountId,
        placedAt,
        owner: { kind: 'order' as const, id: orderId },
        asset: 'fiat/brl' as const,
        amount: Money.of('fiat/brl', amount).toString(),
      }));
  }

  available(accountId: string): bigint {
    const held = [...this.holds.values()].filter((hold) => hold.state === 'open' && hold.accountId === accountId);
    return held.reduce((left, hold) => left - hold.amount, this.balances.get(accountId) ?? 0n);
  }

  /** The bank has settled the payment that the charge asked for; the ledger posts and holds it and tells. */
  async pay(txid: string, reported = true): Promise<void> {
    const { accountId, orderId, amount } = this.charge(txid);
    const [depositId, holdId, settledAt] = [derivedId('deposit', txid), derivedId('payment', txid), this.now()];
    this.balances.set(accountId, (this.balances.get(accountId) ?? 0n) + amount);
    this.holds.set(holdId, { accountId, orderId, amount, placedAt: settledAt, state: 'open' });
    this.charge(txid).outcome = { state: 'paid', depositId, holdId };
    if (reported) await this.tell(txid, new PixChargePaid({ txid, orderId, accountId, depositId, holdId, settledAt }));
  }

  async mispay(txid: string, reason: 'payer-tax-id-mismatch' | 'amount-mismatch' | 'paid-late'): Promise<void> {
    const { accountId, orderId } = this.charge(txid);
    const depositId = derivedId('deposit', txid);
    this.charge(txid).outcome = { state: 'mispaid', depositId, reason };
    await this.tell(txid, new PixChargeMispaid({ txid, orderId, accountId, depositId, reason }));
  }

  async close(txid: string): Promise<void> {
    const { accountId, orderId } = this.charge(txid);
    this.charge(txid).outcome = { state: 'closed' };
    await this.tell(txid, new PixChargeClosed({ txid, orderId, accountId, closedAt: this.now() }));
  }

  async confirm(settlement: Settlement): Promise<void> {
    await this.emit(
      'chainTransaction',
      settlement.settlementId,
      new TransactionConfirmed({
        ...ended(settlement),
        txHash: `0x${settlement.settlementId}`,
        blockNumber: '1',
        blockHash: '0xb',
        minedAt: this.now(),
        confirmedAt: this.now(),
        from: '0xf',
        nonce: 0,
        final: true,
      }),
    );
  }

  async revert(settlement: Settlement): Promise<void> {
    await this.emit(
      'chainTransaction',
      settlement.settlementId,
      new TransactionReverted({ ...ended(settlement), txHash: `0x${settlement.settlementId}`, reason: 'reverted' }),
    );
  }

  /** Staff decide about the external wallet of an order. */
  async review(orderId: string, accountId: string, outcome: 'clear' | 'refused'): Promise<void> {
    this.screened.set(orderId, outcome);
    const verdict = outcome === 'clear' ? 'false-positive' : 'true-match';
    const subject = { kind: 'order', id: orderId } as const;
    const [reason, staffId, reviewedAt] = ['Ticket 1', 'staff', this.now()];
    await this.emit(
      'addressReview',
      orderId,
      new AddressReviewed({ reviewId: orderId, subject, accountId, verdict, reason, staffId, outcome, reviewedAt }),
    );
  }

  /** Nothing was signed: the treasury could not pay in time, or the target was refused meanwhile. */
  async giveUp(settlement: Settlement, reason: GiveUpReason = 'liquidity-unavailable'): Promise<void> {
    const { settlementId, orderId, accountId } = settlement;
    const owner = { kind: 'order', id: orderId } as const;
    const movement = { walletIds: ['treasury'], from: '0x1', to: '0x2', receiver: null };
    await this.emit(
      'chainTransaction',
      settlementId,
      new TransactionGivenUp({
        transactionId: settlementId,
        chain: 'eth-base',
        reason,
        givenUpAt: this.now(),
        purpose: {
          kind: 'token-movement',
          id: settlementId,
          owner,
          accountId,
          asset: 'eth-base/usdc',
          amount: '1.000000',
          ...movement,
        },
      }),
    );
  }

  private placeHold({ accountId, hold }: PayloadOf<typeof PlaceHold>): Answer<{ holdId: string }> {
    const { holdId, owner, amount } = hold;
    if (this.holds.has(holdId)) return { reply: { holdId } };
    if (this.available(accountId) < brl(amount)) refuse('insufficient-balance', 'not enough', 'quote-id');
    this.holds.set(holdId, { accountId, orderId: owner.id, amount: brl(amount), placedAt: this.now(), state: 'open' });
    return { reply: { holdId }, changed: true };
  }

  /** The bank paid, or refused for good; the ledger posts or releases, and tells. */
  async endPayout(withdrawalId: string, state: 'completed' | 'rolled-back', reported = true): Promise<void> {
    const payout = this.payouts.get(withdrawalId);
    if (!payout) throw new Error('there is no such payout');
    payout.state = state;
    if (state === 'completed') this.end(payout.holdId, 'posted');
    const { accountId, orderId, createdBy, holdId, amount, target, createdByApiKey } = payout;
    const common = {
      withdrawalId,
      accountId,
      orderId,
      createdBy,
      createdByApiKey: createdByApiKey ?? 'unknown',
      asset: 'fiat/brl' as const,
      amount,
    };
    if (!reported) return;
    await this.emit(
      'withdrawal',
      withdrawalId,
      state === 'completed'
        ? new WithdrawalCompleted({
            ...common,
            target: { method: 'pix', ...target },
            endToEndId: 'E1',
            txHash: null,
            processedAt: this.now(),
          })
        : new WithdrawalRolledBack({
            ...common,
            method: 'pix',
            holdId,
            previousState: 'processing',
            failure: REFUSED,
            rolledBackAt: this.now(),
          }),
    );
  }

  /** A withdrawal that the account asked for itself. */
  completeOther(accountId: string): Promise<void> {
    return this.emit(
      'withdrawal',
      derivedId('other', accountId),
      new WithdrawalCompleted({
        withdrawalId: derivedId('other', accountId),
        accountId,
        createdBy: accountId,
        createdByApiKey: 'k',
        asset: 'fiat/brl',
        amount: '1.00',
        target: { method: 'pix', ...PIX_TARGET },
        endToEndId: 'E2',
        txHash: null,
        processedAt: this.now(),
      }),
    );
  }

  private withdrawal(withdrawalId: string): WithdrawalRecord {
    const payout = this.payouts.get(withdrawalId);
    if (!payout) throw new Error('there is no such payout');
    return {
      id: withdrawalId,
      accountId: payout.accountId,
      asset: 'fiat/brl',
      amount: payout.amount,
      method: 'pix',
      state: payout.state,
      stateUpdatedAt: this.now(),
      createdAt: this.now(),
      createdBy: payout.createdBy,
      createdByApiKey: 'k',
      externalId: null,
      orderId: payout.orderId,
      scheduledFor: null,
      target: { method: 'pix', ...payout.target },
      endToEndId: null,
      txHash: null,
      failure: payout.state === 'rolled-back' ? REFUSED : null,
    };
  }

  private post({
    accountId,
    orderId,
    holdId,
    debit,
    credit,
    deliveryHold,
  }: PayloadOf<typeof PostExchange>): Answer<{ postingId: string }> {
    const hold = this.holds.get(holdId);
    if (hold?.state !== 'open' || hold.amount !== brl(debit.amount) || hold.orderId !== orderId)
      throw new Error(`hold ${holdId} cannot be posted`);
    this.end(holdId, 'posted');
    if (credit.asset === 'fiat/brl')
      this.balances.set(accountId, (this.balances.get(accountId) ?? 0n) + brl(credit.amount));
    if (deliveryHold)
      this.holds.set(deliveryHold.holdId, {
        accountId,
        orderId: deliveryHold.owner.id,
        amount: brl(credit.amount),
        placedAt: this.now(),
        state: 'open',
        isDelivery: true,
      });
    this.tokens.set(accountId, [...(this.tokens.get(accountId) ?? []), credit.amount]);
    return { reply: { postingId: derivedId('posting', orderId) }, changed: true };
  }

  /** A hold ends once: what is posted leaves the balance. */
  private end(holdId: string, state: 'released' | 'posted'): void {
    const hold = this.holds.get(holdId);
    if (hold?.state !== 'open') throw new Error(`hold ${holdId} is not open`);
    hold.state = state;
    if (state === 'posted') this.balances.set(hold.accountId, (this.balances.get(hold.accountId) ?? 0n) - hold.amount);
  }

  private isPayment(holdId: string): boolean {
    return [...this.charges.values()].some(({ outcome }) => outcome.state === 'paid' && outcome.holdId === holdId);
  }

  private charge(txid: string): Charge {
    return (
      this.charges.get(txid) ??
      (() => {
        throw new Unavailable('rail-unavailable');
      })()
    );
  }

  /** Two members of staff have released the account. */
  release(accountId: string): Promise<void> {
    return this.emit(
      'account',
      accountId,
      new AccountReleased({
        accountId,
        reason: 'resolved',
        evidence: null,
        requestedBy: 'one',
        confirmedBy: 'two',
        releasedAt: this.now(),
      }),
    );
  }

  private tell(txid: string, event: PixChargeEvent): Promise<void> {
    return this.emit('pixCharge', txid, event);
  }

  private async emit(
    category: string,
    id: string,
    recorded: PixChargeEvent | ChainTransactionEvent | AccountReleased | AddressReviewed | WithdrawalEvent,
  ): Promise<void> {
    const stream = streamName(category, id);
    const revision = (await this.store().read(stream)).length - 1;
    const commandId = derivedId('neighbour', stream, String(revision));
    const [event] = toAppend(
      [recorded],
      [
        AddressReviewed,
        TransactionConfirmed,
        TransactionReverted,
        TransactionGivenUp,
        PixChargePaid,
        PixChargeMispaid,
        PixChargeClosed,
        AccountReleased,
        WithdrawalCompleted,
        WithdrawalRolledBack,
      ],
      { commandId, correlationId: commandId },
      this.now(),
    );
    if (event) await this.store().append(stream, revision, [event]);
  }
}
