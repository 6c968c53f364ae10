import { Inject, Injectable } from '@nestjs/common';
import { FreezeAccountAutomatically, isBankCoordinates } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import type { Deposit, DepositFacts } from '../deposit/deposit.state';
import { depositSourceOf } from '../deposit/deposit.state';
import { Deposits } from '../deposit/deposits.repository';
import { depositPostingId } from '../ledger-account/ledger-account.commands';
import { step } from '../steps';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import { Charges } from '../pix-charge/charges.repository';
import { paymentHoldId } from '../pix-charge/pix-charge.decider';

/** Settles a deposit that the bank took back. Every step is idempotent. */
@Injectable()
export class SettleTakeBack {
  constructor(
    private readonly deposits: Deposits,
    private readonly ledgerAccounts: LedgerAccounts,
    private readonly charges: Charges,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  /** Debits the account if the deposit was posted, even below zero, then freezes the account. */
  async settle(depositId: string, accountId: string | null, context: RequestContext): Promise<void> {
    if (accountId === null) return;
    const isLoss = await this.reverse(depositId, accountId, context);
    // A fixed id, so that repeated requests from any process cause only one freeze.
    const commandId = derivedId('freeze-taken-back', depositId);
    await this.bus.request(
      FreezeAccountAutomatically,
      {
        accountId,
        reason: 'pix-taken-back',
        evidence: `deposit ${depositId}`,
        ...(isLoss ? {} : { nothingLost: true }),
      },
      { ...context, commandId },
    );
  }

  /**
   * Reverses the posting, also one that raced with the take-back, or bars it if the payment is not posted yet. Then
   * ends the charge that the payment can no longer pay. Returns whether the account lost money: false if the payment
   * was not posted, or had been debited for a return.
   */
  async reverse(depositId: string, accountId: string, context: RequestContext): Promise<boolean> {
    const state = await this.deposits.load(depositId);
    // The event that led here says that the deposit was voided.
    if (state.status !== 'voided') return behindEvent(`deposit ${depositId}`, state.status);
    if (state.reason !== 'taken-back' || state.books === 'reversed') return false;
    const { facts, books } = state;
    const { asset, amount, createdAt: since } = facts;
    const { taken } = await this.ledgerAccounts.execute(
      accountId,
      (now) => ({
        kind: 'take-back-deposit',
        accountId,
        depositId,
        credit: { asset, amount },
        credited: books === 'credited',
        since,
        now,
      }),
      step(context, `take-back-${books}`, depositId),
    );
    await this.endCharge(facts, accountId, context);
    return books === 'credited' || taken.has(depositPostingId(depositId));
  }

  /** Takes a deposit that was refused because its account was closed out of the balance, or keeps it out of it. */
  async keepOut({ facts, reason }: Extract<Deposit, { status: 'voided' }>, context: RequestContext): Promise<void> {
    const { accountId, depositId, asset, amount, createdAt: since } = facts;
    if (accountId === null) return;
    const about = { accountId, depositId, credit: { asset, amount }, credited: false, reason } as const;
    await this.ledgerAccounts.execute(
      accountId,
      (now) => ({ kind: 'take-back-deposit', ...about, from: depositSourceOf(facts), since, now }),
      step(context, 'keep-out', depositId),
    );
  }

  /**
   * Closes the charge if the payment was accepted but not held for its order yet: no other step would end the charge,
   * its order and the hold. Once it is held, the order ends the hold.
   */
  private async endCharge(
    { depositId, orderId, coordinates }: DepositFacts,
    accountId: string,
    context: RequestContext,
  ): Promise<void> {
    if (orderId === null || !isBankCoordinates(coordinates)) return;
    const txid = coordinates.target;
    const charge = await this.charges.execute(
      txid,
      (now) => ({ kind: 'note-taken-back', depositId, now }),
      step(context, 'note-taken-back', depositId),
    );
    // The deposit names an order because its charge was found when the payment came in.
    if (charge.status === 'none') return behindEvent(`charge ${txid}`, charge.status);
    const holdId = paymentHoldId(depositId);
    if (charge.status !== 'closed' || !(await this.ledgerAccounts.load(accountId)).holds.get(holdId)) return;
    await this.ledgerAccounts.execute(
      accountId,
      (now) => ({ kind: 'reverse-deposit', accountId, depositId, holdId, reason: 'taken-back', now }),
      step(context, 'release-taken-back', depositId),
    );
  }
}
