import type { IEventHandler } from '@nestjs/cqrs';
import { CommandBus } from '@nestjs/cqrs';
import { AccountRequestApproved, ProvisioningRetried } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { ProvisionAccountCommand } from './provision-account.command';

/** Provisions the account, even after a retry was recorded, in case the timer that recorded it died. */
@Policy(AccountRequestApproved, ProvisioningRetried)
export class WhenRequestApprovedProvisionAccount implements IEventHandler<
  Recorded<AccountRequestApproved | ProvisioningRetried>
> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<AccountRequestApproved | ProvisioningRetried>): Promise<void> {
    await this.commands.execute(
      new ProvisionAccountCommand(
        { requestId: event.data.requestId },
        causedBy(event, 'provision-account', 'when-request-approved-provision-account'),
      ),
    );
  }
}
