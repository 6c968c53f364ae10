import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { AccountOpened } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { ProvisionWalletsCommand } from './provision-wallets.command';

/** Both partners and sub-accounts own wallets. */
@Policy(AccountOpened)
export class WhenAccountOpenedProvisionWallets implements IEventHandler<Recorded<AccountOpened>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<AccountOpened>): Promise<void> {
    const { accountId, parentId } = event.data;
    await this.commands.execute(
      new ProvisionWalletsCommand({ accountId, parentId }, causedBy(event, 'provision-wallets', 'when-account-opened')),
    );
  }
}
