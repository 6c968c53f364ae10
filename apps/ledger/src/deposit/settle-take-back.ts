import { Inject, Injectable } from '@nestjs/common';
import { FreezeAccountAutomatically } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { Aggregates, behindEvent } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { CLOCK, commandContext, MESSAGE_BUS } from '@ponte/nest';
import type { LedgerAccountCommand } from '../ledger-account/ledger-account.commands';
import { ledgerAccount } from '../ledger-account/ledger-account.decider';
import { Deposits } from './deposits.repository';
import { step } from '../steps';

/**
 * What follows from a deposit that the bank took back. Every step may be repeated: it changes nothing the second time.
 */
@Injectable()
export class SettleTakeBack {
  constructor(
    private readonly deposits: Deposits,
    private readonly aggregates: Aggregates,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(CLOCK) private readonly clock: Clock,
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
    await this.aggregates.handle(
      ledgerAccount,
      accountId,
      (now): LedgerAccountCommand => ({
        kind: 'take-back-deposit',
        accountId,
        depositId,
        credit: { asset, amount },
        credited: books === 'credited',
        now,
      }),
      commandContext(step(context, `take-back-${books}`, depositId), this.clock),
    );
  }
}
