import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged, safeError } from '@ponte/event-sourcing';
import { pixKeyOf } from '@ponte/kernel';
import { LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { BusinessCalendar } from '../business-calendar/business-calendar';
import { Accounts } from '../deposit/pix-accounts.service';
import { PayoutContradictions } from './payout-contradictions.service';
import { isBankFailure } from './rail';
import { KEY_DIRECTORY } from '../key-directory/key-directory.port';
import type { KeyDirectory } from '../key-directory/key-directory.port';
import type { Payee } from '../person/payee.domain';
import { PAYOUTS } from './payouts.port';
import type { Payout, PayoutOrder, Payouts } from './payouts.port';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import type { Cover } from '../ledger-account/ledger-account.state';
import { coverOf } from '../ledger-account/ledger-account.state';
import { PersonSealing } from '../person/person-sealing.service';
import type { WithdrawalTerms } from '../withdrawal/withdrawal.state';
import { paymentIdOf } from '../withdrawal/withdrawal.state';
import type { FailureCode } from '../withdrawal/withdrawal.failures';

/** A payment as recorded by the bank. `refusal` may also be our own reason for cancelling it. */
export type SettledPayout = Omit<Payout, 'refusal'> & { readonly refusal: FailureCode | null };

/** The result of the look-up before sending. `unknown`: the directory did not answer, so nothing is sent now. */
type PayeeCheck =
  | { readonly kind: 'same'; readonly order: PayoutOrder }
  | { readonly kind: 'changed'; readonly code: 'pix-key-not-found' | 'pix-key-owner-changed' | 'payee-erased' }
  | { readonly kind: 'unknown' };

/**
 * Talks to the bank about one withdrawal, always under its single payment id. Anything the bank does not answer stays
 * unknown until the next run.
 */
@Injectable()
export class SendPayout {
  constructor(
    private readonly sealing: PersonSealing,
    private readonly accounts: Accounts,
    private readonly ledgerAccounts: LedgerAccounts,
    private readonly calendar: BusinessCalendar,
    private readonly contradictions: PayoutContradictions,
    @Inject(PAYOUTS) private readonly bank: Payouts,
    @Inject(KEY_DIRECTORY) private readonly directory: KeyDirectory,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Looks the key up again: its owner must still be the owner from when the withdrawal was created. */
  async check({ withdrawalId, amount, target }: WithdrawalTerms, context: RequestContext): Promise<PayeeCheck> {
    if (target.method === 'token') throw new TypeError('a bank cannot pay out tokens');
    const { method } = target;
    const payee = await this.sealing.open(target.payee);
    if (!payee) return { kind: 'changed', code: 'payee-erased' };
    const order = { paymentId: paymentIdOf(withdrawalId), amount, method, pixKey: null, payee };
    if (target.method === 'ted') return { kind: 'same', order };
    const pixKey = pixKeyOf(await this.sealing.openKey(target.pixKey));
    if (!pixKey) return { kind: 'changed', code: 'payee-erased' };
    const owner = await this.undefinedIfUnanswered(
      () => this.directory.lookUp(pixKey).then((found) => ({ found })),
      withdrawalId,
      context,
    );
    if (!owner) return { kind: 'unknown' };
    if (!owner.found) return { kind: 'changed', code: 'pix-key-not-found' };
    return this.isSame(owner.found, target.payee.taxIdFingerprint)
      ? { kind: 'same', order: { ...order, pixKey, payee: owner.found } }
      : { kind: 'changed', code: 'pix-key-owner-changed' };
  }

  /**
   * Returns the payment as recorded by the bank, and sends it if the bank certainly does not have it. Undefined if this
   * is unknown or the payment has to wait. With an `order`, sends at once: the caller knows that the withdrawal cannot
   * have been sent before.
   */
  async pay(
    terms: WithdrawalTerms,
    order: PayoutOrder | null,
    now: number,
    context: RequestContext,
  ): Promise<SettledPayout | undefined> {
    const { withdrawalId, target } = terms;
    if (order) return this.send(order, terms, context);
    const payment = await this.find(withdrawalId, context);
    if (!payment || payment.payout) return this.asOrdered(payment?.payout, terms, context);
    const cover = await this.cover(terms);
    if (cover === 'uncovered') return this.cancel(terms, 'payment-taken-back', context);
    if (target.method === 'ted' && this.calendar.waitsUntil(now) !== null) return undefined;
    // Nothing new is sent to the bank for an account that was frozen meanwhile.
    const account = await this.accounts.get(terms.accountId, context);
    if (account?.status !== 'active') return this.cancel(terms, 'account-not-active', context);
    if (cover === 'undecided') return undefined;
    const check = await this.check(terms, context);
    switch (check.kind) {
      case 'unknown':
        return undefined;
      case 'same':
        return this.send(check.order, terms, context);
      case 'changed':
        return this.cancel(terms, check.code, context);
    }
  }

  /** Whether the balance covers this withdrawal, or the bank took so much back that it may no longer do so. */
  async cover({ accountId, asset, withdrawalId }: WithdrawalTerms): Promise<Cover> {
    return coverOf(await this.ledgerAccounts.load(accountId), asset, withdrawalId);
  }

  /** Whether the bank has a payment for the withdrawal, in whatever state; undefined if it did not answer. */
  async isKnown(withdrawalId: string, context: RequestContext): Promise<boolean | undefined> {
    const payment = await this.find(withdrawalId, context);
    return payment && payment.payout !== undefined;
  }

  /**
   * Cancels the payment at the bank, because an earlier request may still reach it. The recorded reason is ours, not
   * the bank's.
   */
  private async cancel(
    terms: WithdrawalTerms,
    reason: FailureCode,
    context: RequestContext,
  ): Promise<SettledPayout | undefined> {
    const { withdrawalId } = terms;
    const payment = await this.undefinedIfUnanswered(
      () => this.bank.cancel(paymentIdOf(withdrawalId)),
      withdrawalId,
      context,
    );
    if (payment?.refusal === 'cancelled') return { ...payment, refusal: reason };
    return this.asOrdered(payment, terms, context);
  }

  private async send(order: PayoutOrder, terms: WithdrawalTerms, context: RequestContext): Promise<Payout | undefined> {
    const { withdrawalId } = terms;
    const sent = await this.undefinedIfUnanswered(() => this.bank.send(order), withdrawalId, context);
    // After a timeout the same id is read. A payment that is not found may still arrive, so it stays unknown.
    const payment =
      sent ?? (await this.undefinedIfUnanswered(() => this.bank.get(order.paymentId), withdrawalId, context));
    return this.asOrdered(payment, terms, context);
  }

  private find(withdrawalId: string, context: RequestContext): Promise<{ payout: Payout | undefined } | undefined> {
    return this.undefinedIfUnanswered(
      () => this.bank.get(paymentIdOf(withdrawalId)).then((payout) => ({ payout })),
      withdrawalId,
      context,
    );
  }

  /**
   * Undefined if the payment's amount differs: it is not the payment that was ordered, so its state says nothing about
   * the withdrawal.
   */
  private asOrdered(
    payment: Payout | undefined,
    { withdrawalId, amount }: WithdrawalTerms,
    context: RequestContext,
  ): Payout | undefined {
    if (!payment || payment.status === 'refused' || payment.amount === amount) return payment;
    this.contradictions.report('payment-amount', { withdrawalId, paymentId: payment.paymentId }, context);
    return undefined;
  }

  private isSame({ taxId }: Payee, fingerprint: string): boolean {
    return this.sealing.fingerprint(taxId) === fingerprint;
  }

  /** Undefined if the bank did not answer, or not properly: no conclusion is drawn from that. */
  private async undefinedIfUnanswered<T>(
    call: () => Promise<T>,
    withdrawalId: string,
    context: RequestContext,
  ): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      if (!isBankFailure(error)) throw error;
      this.logger.warn(
        { ...logged(context), withdrawalId, error: safeError(error) },
        'the bank did not answer a request about a withdrawal; it will be retried',
      );
      return undefined;
    }
  }
}
