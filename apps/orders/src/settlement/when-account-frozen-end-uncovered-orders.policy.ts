import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { AccountFrozen } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { RequestSettlementsOfAccountCommand } from './request-settlements-of-account.command';

/**
 * Rolls back the orders whose money the bank took back, while the freeze keeps their settlements from being signed. At
 * the release, movements could sign them first. The account is debited before it is frozen. All other orders wait.
 */
@Policy(AccountFrozen)
export class WhenAccountFrozenEndUncoveredOrders implements IEventHandler<Recorded<AccountFrozen>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<AccountFrozen>): Promise<void> {
    const { accountId, reason } = event.data;
    if (reason !== 'pix-taken-back') return;
    const context = causedBy(event, 'end-uncovered-orders', 'when-account-frozen');
    await this.commands.execute(new RequestSettlementsOfAccountCommand({ accountId }, context));
  }
}
