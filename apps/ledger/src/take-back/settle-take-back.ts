import { Inject, Injectable } from '@nestjs/common';
import { FreezeAccountAutomatically } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import { Deposits } from '../deposit/deposits.repository';
import { step } from '../steps';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';

/** Settles a deposit that the bank took back. Every step is idempotent. */
@Injectable()
export class SettleTakeBack {
  constructor(
    private readonly deposits: Deposits,
    private readonly ledgerAccounts: LedgerAccounts,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  /** Debits the account if the deposit was posted, even below zero, then freezes the account. */
  async settle(depositId: string, accountId: string | null, context: RequestContext): Promise<void> {
    if (accountId === null) return;
    await this.reverse(depositId, accountId, context);
    // A fixed id, so that repeated requests from any process cause only one freeze.
    const commandId = derivedId('freeze-taken-back', depositId);
    await this.bus.request(
      FreezeAccountAutomatically,
      { accountId, reason: 'pix-taken-back', evidence: `deposit ${depositId}` },
      { ...context, commandId },
    );
  }

  /** Only reverses the posting: also for a posting that raced with the take-back and was written after it. */
  async reverse(depositId: string, accountId: string, context: RequestContext): Promise<void> {
    const state = await this.deposits.load(depositId);
    // The event that led here says that the deposit was voided.
    if (state.status !== 'voided') return behindEvent(`deposit ${depositId}`, state.status);
    if (state.reason !== 'taken-back' || state.books === 'reversed') return;
    const {
      facts: { asset, amount },
      books,
    } = state;
    await this.ledgerAccounts.execute(
      accountId,
      (now) => ({
        kind: 'take-back-deposit',
        accountId,
        depositId,
        credit: { asset, amount },
        credited: books === 'credited',
        now,
      }),
      step(context, `take-back-${books}`, depositId),
    );
  }
}
