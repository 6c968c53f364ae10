import type { IEventHandler } from '@nestjs/cqrs';
import { AccountClosed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';

/**
 * Writes off what two staff members decided to write off when they closed the account. If a balance is another by now,
 * the refusal parks the event, which an alert reports to staff.
 */
@Policy(AccountClosed)
export class WhenAccountClosedWriteBalancesOff implements IEventHandler<Recorded<AccountClosed>> {
  constructor(private readonly ledgerAccounts: LedgerAccounts) {}

  async handle(event: Recorded<AccountClosed>): Promise<void> {
    const { accountId, writeOff: amounts, closedAt: since } = event.data;
    if (!amounts) return;
    await this.ledgerAccounts.execute(
      accountId,
      (now) => ({ kind: 'write-off', accountId, amounts, since, now }),
      causedBy(event, 'write-off', 'when-account-closed'),
    );
  }
}
