import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import { pixKeyOf } from '@ponte/kernel';
import { LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { BusinessCalendar } from '../business-calendar/business-calendar';
import { Accounts } from '../deposit/pix-accounts';
import { isRailTrouble } from '../payouts/rail';
import { KEY_DIRECTORY } from '../key-directory/key-directory.port';
import type { KeyDirectory, KeyOwner } from '../key-directory/key-directory.port';
import { PAYOUTS } from '../payouts/payouts.port';
import type { Payout, PayoutOrder, Payouts } from '../payouts/payouts.port';
import { PersonSealing } from '../person/person-sealing';
import type { WithdrawalTerms } from '../withdrawal/withdrawal.state';
import { paymentIdOf } from '../withdrawal/withdrawal.state';
import type { FailureCode } from '../withdrawal/withdrawal.failures';

/** A payment as the bank has it; `refusal` may be our own reason for having it ruled out. */
export type SettledPayout = Omit<Payout, 'refusal'> & { readonly refusal: FailureCode | null };

/** What the look-up before sending found. `unknown`: the directory did not answer, so nothing is sent now. */
export type PayeeCheck =
  | { readonly kind: 'same'; readonly order: PayoutOrder }
  | { readonly kind: 'changed'; readonly code: 'pix-key-not-found' | 'pix-key-owner-changed' | 'payee-erased' }
  | { readonly kind: 'unknown' };

/**
 * Speaks with the bank about one withdrawal, always under its one payment id. What is not known now stays unknown: the
 * next run asks again.
 */
@Injectable()
export class SendPayout {
  constructor(
    private readonly sealing: PersonSealing,
    private readonly accounts: Accounts,
    private readonly calendar: BusinessCalendar,
    @Inject(PAYOUTS) private readonly bank: Payouts,
    @Inject(KEY_DIRECTORY) private readonly directory: KeyDirectory,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Looks the key up again: its owner must still be the one from when the withdrawal was created. */
  async check({ withdrawalId, amount, target }: WithdrawalTerms, context: RequestContext): Promise<PayeeCheck> {
    if (target.method === 'token') throw new TypeError('a bank pays no tokens');
    const { method } = target;
    const payee = await this.sealing.open(target.payee);
    if (!payee) return { kind: 'changed', code: 'payee-erased' };
    const order = { paymentId: paymentIdOf(withdrawalId), amount, method, pixKey: null, payee };
    if (target.method === 'ted') return { kind: 'same', order };
    const pixKey = pixKeyOf(await this.sealing.openKey(target.pixKey));
    if (!pixKey) return { kind: 'changed', code: 'payee-erased' };
    const owner = await this.known(
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
   * The payment as the bank has it now; sent when the bank certainly does not have it. Undefined when that is not
   * known, or has to wait. `sent` is false when this withdrawal cannot have been sent before.
   */
  async pay(
    terms: WithdrawalTerms,
    order: PayoutOrder | null,
    now: number,
    context: RequestContext,
  ): Promise<SettledPayout | undefined> {
    const { withdrawalId, target } = terms;
    if (order) return this.send(order, withdrawalId, context);
    const found = await this.known(
      () => this.bank.get(paymentIdOf(withdrawalId)).then((payout) => ({ payout })),
      withdrawalId,
      context,
    );
    if (!found || found.payout) return found?.payout;
    if (target.method === 'ted' && this.calendar.waitsUntil(now) !== null) return undefined;
    // Nothing new is asked of the bank for an account that was frozen meanwhile (contract, 16).
    const account = await this.accounts.get(terms.accountId, context);
    if (account?.status !== 'active') return this.ruleOut(withdrawalId, 'account-not-active', context);
    const check = await this.check(terms, context);
    switch (check.kind) {
      case 'unknown':
        return undefined;
      case 'same':
        return this.send(check.order, withdrawalId, context);
      case 'changed':
        return this.ruleOut(withdrawalId, check.code, context);
    }
  }

  /** An earlier request may still reach the bank, so the bank has to rule it out. The reason is ours, not its own. */
  private async ruleOut(
    withdrawalId: string,
    reason: FailureCode,
    context: RequestContext,
  ): Promise<SettledPayout | undefined> {
    const payment = await this.known(() => this.bank.cancel(paymentIdOf(withdrawalId)), withdrawalId, context);
    return payment?.refusal === 'cancelled' ? { ...payment, refusal: reason } : payment;
  }

  private async send(order: PayoutOrder, withdrawalId: string, context: RequestContext): Promise<Payout | undefined> {
    const sent = await this.known(() => this.bank.send(order), withdrawalId, context);
    // After a time-out the same id is read; what is not there now may still come, so it stays unknown.
    return sent ?? this.known(() => this.bank.get(order.paymentId), withdrawalId, context);
  }

  private isSame({ taxId }: KeyOwner, fingerprint: string): boolean {
    return this.sealing.fingerprint(taxId) === fingerprint;
  }

  /** Undefined when the bank did not answer, or not properly: nothing follows from that. */
  private async known<T>(
    call: () => Promise<T>,
    withdrawalId: string,
    context: RequestContext,
  ): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      if (!isRailTrouble(error)) throw error;
      this.logger.warn(
        { ...logged(context), withdrawalId, failure: (error as Error).name },
        'the bank did not answer about a withdrawal; it is asked again',
      );
      return undefined;
    }
  }
}
