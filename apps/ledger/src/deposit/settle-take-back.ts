import { Inject, Injectable } from '@nestjs/common';
import { FreezeAccountAutomatically } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import { Deposits } from './deposits.repository';
import { step } from '../steps';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';

/**
 * What follows from a deposit that the bank took back. Every step may be repeated: it changes nothing the second time.
 */
@Injectable()
export class SettleTakeBack {
  constructor(
    private readonly deposits: Deposits,
    private readonly ledgerAccounts: LedgerAccounts,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  /** Takes the money out of the books if it was posted, and the balance may go negative; then freezes the account. */
  async settle(depositId: string, accountId: string | null, context: RequestContext): Promise<void> {
    if (accountId === null) return;
    await this.reverse(depositId, accountId, context);
    // The same freeze however often and by whichever process it is asked for.
    const commandId = derivedId('freeze-taken-back', depositId);
    await this.bus.request(
      FreezeAccountAutomatically,
      { accountId, reason: 'pix-taken-back', evidence: `deposit ${depositId}` },
      { ...context, commandId },
    );
  }

  /** Alone, for a posting that raced with the taking back and came after it. */
  async reverse(depositId: string, accountId: string, context: RequestContext): Promise<void> {
    const state = await this.deposits.load(depositId);
    // The event says that it was voided.
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
