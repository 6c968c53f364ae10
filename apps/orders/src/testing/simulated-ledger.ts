import type { Failure, PayOutOrderPayload, PlaceHold, PostExchange, WithdrawalRecord } from '@ponte/contracts';
import { WithdrawalCompleted, WithdrawalRolledBack } from '@ponte/contracts';
import type { PayloadOf, ReplyOf } from '@ponte/event-sourcing';
import { Money, derivedId, refuse } from '@ponte/kernel';
import { PIX_TARGET } from './pix-target';
import type { Answer } from './simulated-log';
import { SimulatedLog } from './simulated-log';

const REFUSED: Failure = { code: 'bank-refused', message: 'refused', retryable: true };

interface HeldMoney {
  readonly accountId: string;
  readonly orderId: string;
  readonly amount: bigint;
  readonly placedAt: string;
  state: 'open' | 'released' | 'posted';
  readonly source?: PayloadOf<typeof PlaceHold>['hold']['source'];
  readonly isDelivery?: boolean;
}
interface Payout extends PayOutOrderPayload {
  state: 'created' | 'completed' | 'rolled-back';
}
/** The amount in centavos. Amounts of BRLV have more decimal places, which are zeros. */
export const brl = (text: string): bigint => Money.stored('fiat/brl', text.replace(/(\.\d\d)0+$/, '$1')).minor;

/** Balances that cannot go below zero, holds that end once, and payouts. */
export class SimulatedLedger extends SimulatedLog {
  readonly balances = new Map<string, bigint>();
  readonly tokens = new Map<string, string[]>();
  readonly holds = new Map<string, HeldMoney>();
  /** Payouts by withdrawal id, with their state. */
  readonly payouts = new Map<string, Payout>();

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
    const openHolds = [...this.holds.values()].filter((hold) => hold.state === 'open' && hold.accountId === accountId);
    return openHolds.reduce((left, hold) => left - hold.amount, this.balances.get(accountId) ?? 0n);
  }

  /** The bank pays or refuses permanently. The ledger posts or releases the hold, and emits the event if `reported`. */
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

  /** Completes a withdrawal that the account requested itself. */
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

  protected placeHold({ accountId, hold }: PayloadOf<typeof PlaceHold>): Answer<ReplyOf<typeof PlaceHold>> {
    const { holdId, owner, amount, source } = hold;
    const open = this.holds.get(holdId);
    if (open) return { reply: { holdId, source: open.source } };
    if (this.available(accountId) < brl(amount)) refuse('insufficient-balance', 'not enough', 'quote-id');
    const placed = {
      accountId,
      orderId: owner.id,
      amount: brl(amount),
      placedAt: this.now(),
      state: 'open',
      source,
    } as const;
    this.holds.set(holdId, placed);
    return { reply: { holdId, source }, changed: true };
  }

  protected payOut(payload: PayOutOrderPayload): Answer<WithdrawalRecord> {
    if (!this.payouts.has(payload.withdrawalId)) {
      const hold = this.holds.get(payload.holdId);
      if (hold?.state !== 'open' || hold.amount !== brl(payload.amount)) throw new Error('the payout has no hold');
      this.payouts.set(payload.withdrawalId, { ...payload, state: 'created' });
    }
    return { reply: this.withdrawal(payload.withdrawalId), changed: true };
  }

  protected withdrawal(withdrawalId: string): WithdrawalRecord {
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

  protected post({
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

  /** Ends a hold, which is possible only once. Posting deducts its amount from the balance. */
  protected end(holdId: string, state: 'released' | 'posted'): void {
    const hold = this.holds.get(holdId);
    if (hold?.state !== 'open') throw new Error(`hold ${holdId} is not open`);
    hold.state = state;
    if (state === 'posted') this.balances.set(hold.accountId, (this.balances.get(hold.accountId) ?? 0n) - hold.amount);
  }
}
