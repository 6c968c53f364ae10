import type {
  AccountRecord,
  AmountOf,
  QuoteRecord,
  ResolvedPixKey,
  SourceFunds,
  WalletRelation,
} from '@ponte/contracts';
import {
  CheckQuoteFor,
  ClosePixCharge,
  GetAccount,
  GetAccountStanding,
  GetBalance,
  GetDeposit,
  GetQuote,
  GetSettlement,
  GetWithdrawal,
  ListAccountHolds,
  ListOpenHolds,
  ListOverdueCharges,
  OpenPixCharge,
  PayOutOrder,
  PlaceHold,
  PostExchange,
  RefuseSettlement,
  ReleaseHold,
  RequestSettlement,
  ResolvePixKey,
  ResolveWallet,
  ReturnChargePayment,
  ScreenAddress,
} from '@ponte/contracts';
import type { MessageBus, PayloadOf, RequestContext, RequestDefinition } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { Money, assetOf, formatDecimal, refuse } from '@ponte/kernel';
import type { Charge } from './simulated-bank';
import { SimulatedBank } from './simulated-bank';
import { SimulatedFreezes } from './simulated-freezes';
import { brl } from './simulated-ledger';
import type { Answer } from './simulated-log';

const balanceOf = (centavos: bigint, asset: AssetId, asOf: string) => {
  const { scale } = assetOf(asset);
  const available = formatDecimal(centavos * 10n ** BigInt(scale - 2), scale);
  return { running: available, available, held: formatDecimal(0n, scale), asOf };
};

const chargePlaceOf = ({ expiration, txid }: { readonly expiration: string; readonly txid: string }): string =>
  `${expiration} ${txid}`;
const cursorOf = ({ placedAt, holdId }: { readonly placedAt: string; readonly holdId: string }): string =>
  `${placedAt} ${holdId}`;

/**
 * The services around orders, which outlive its processes, with just enough of their rules: balances that cannot go
 * below zero, holds and charges that are taken once, commands that are executed once, and one settlement per id.
 */
export class SimulatedServices extends SimulatedBank {
  readonly accounts = new Map<string, AccountRecord>();
  readonly freezes = new SimulatedFreezes();
  readonly quotes = new Map<string, QuoteRecord>();
  /** By account, chain and address. The account's own wallet has an empty address. */
  readonly wallets = new Map<string, WalletRelation>();
  /** The most tokens that one transaction may move. Null without a limit. */
  mostTokens: string | null = null;
  /** Whether no token has a contract on its chain. */
  lacksContracts = false;
  readonly pixKeys = new Map<string, ResolvedPixKey>();
  /** Further charges that are listed as overdue and cannot be closed. */
  unclosable: Charge[] = [];
  /** Further holds that are listed as open. */
  listed: ReturnType<SimulatedServices['openHolds']> = [];
  /** Whether the paying wallets hold too few tokens. */
  lacksTokens = false;
  /** What the paying wallet can pay. */
  sourceFunds: SourceFunds | undefined;
  /** How many of the next holds are refused because others took the tokens of the wallet first. */
  sourcesTaken = 0;
  /** The requests for holds. */
  readonly holdRequests: PayloadOf<typeof PlaceHold>[] = [];
  /** Called before a request is handled; may throw or wait. */
  before: (pattern: string) => Promise<void> | void = () => undefined;
  /** Called after a request is handled and before the reply; may throw. */
  after: (pattern: string) => Promise<void> | void = () => undefined;
  private readonly replies = new Map<string, unknown>();

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
    answer(GetAccountStanding, ({ accountId }) => ({ reply: this.freezes.standingOf(this.accounts.get(accountId)) }));
    answer(GetQuote, ({ quoteId }) => ({ reply: this.quotes.get(quoteId) ?? null }));
    answer(CheckQuoteFor, ({ accountId }) =>
      this.accounts.get(accountId)?.capabilities.includes('rate-lock-1h')
        ? { reply: { ok: true } }
        : refuse('rate-lock-not-enabled', 'no', 'rate-lock'),
    );
    answer(ResolveWallet, ({ accountId, chain, address, tokens, pays = false }) => ({
      reply: {
        relation: this.wallets.get(`${accountId} ${chain} ${address?.toLowerCase() ?? ''}`) ?? null,
        aboveMaximum: tokens !== null && this.isAboveMaximum(tokens),
        ...(this.lacksContracts && tokens !== null && { lacksContract: true as const }),
        lacksTokens: pays && this.lacksTokens,
        ...(pays && { funds: this.sourceFunds }),
      },
    }));
    answer(GetBalance, ({ accountId, assets: [asset = 'fiat/brl'] }) => ({
      reply: balanceOf(this.available(accountId), asset, this.now()),
    }));
    answer(ListAccountHolds, () => ({ reply: { holds: this.openHolds() } }));
    answer(PlaceHold, (payload) => {
      this.holdRequests.push(payload);
      if (payload.funds === undefined || this.sourcesTaken === 0) return this.placeHold(payload);
      this.sourcesTaken -= 1;
      return refuse('insufficient-balance', 'others take the tokens', 'source-wallet-address');
    });
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
      // A repeated request gets the existing charge, whatever its state.
      return { reply: { brcode: `000201${charge.txid}`, expiration: open.expiration } };
    });
    answer(ClosePixCharge, async ({ txid }) => {
      if (this.charge(txid).outcome.state === 'open') await this.close(txid);
      return { reply: this.charge(txid).outcome, changed: true };
    });
    answer(ReturnChargePayment, ({ txid }) => {
      const { outcome } = this.charge(txid);
      if (outcome.state !== 'paid') throw new Error('there is no payment to return');
      // The money is back at its payer already, so only the hold ends.
      if (this.takenBack.has(outcome.depositId)) this.end(outcome.holdId, 'released');
      else {
        this.end(outcome.holdId, 'posted');
        this.returned.push(txid);
      }
      return { reply: { depositId: outcome.depositId }, changed: true };
    });
    answer(ListOpenHolds, ({ placedBefore, limit, after }) => ({
      reply: {
        holds: [...this.listed, ...this.openHolds()]
          .filter(({ placedAt, holdId }) => placedAt < placedBefore && !this.isPayment(holdId))
          .sort((a, b) => (cursorOf(a) < cursorOf(b) ? -1 : 1))
          .filter((hold) => !after || cursorOf(hold) > cursorOf(after))
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
    answer(RequestSettlement, (settlement) => ({ reply: this.requestSettlement(settlement), changed: true }));
    answer(RefuseSettlement, (payload) => ({ reply: { refused: this.refuseSettlement(payload) } }));
    answer(GetDeposit, ({ depositId }) => ({ reply: this.deposit(depositId) }));
    answer(ResolvePixKey, ({ key }) => ({ reply: this.pixKeys.get(key) ?? null }));
    answer(PayOutOrder, (payload) => this.payOut(payload));
    answer(GetWithdrawal, ({ withdrawalId }) => ({
      reply: this.payouts.has(withdrawalId) ? this.withdrawal(withdrawalId) : null,
    }));
    answer(GetSettlement, ({ settlementId }) => ({ reply: this.settlement(settlementId) }));
  }

  private isAboveMaximum({ asset, amount }: AmountOf): boolean {
    return this.mostTokens !== null && Money.stored(asset, amount).compare(Money.parse(asset, this.mostTokens)) > 0;
  }

  /** Makes the services forget their earlier replies, so that a repeated command is executed again. */
  forget(): void {
    this.replies.clear();
  }
}
